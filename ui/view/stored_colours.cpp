#include "ui/view/stored_colours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "render/scene/point_levels.h"

namespace clusterloom {
namespace {

auto partsOf(const StoredColouring& c) {
  return std::tie(c.every, c.kept, c.selected, c.background, c.isPlain, c.labels, c.clusterColours,
                  c.highlighted, c.hidden, c.axis, c.shift, c.factor, c.scale.low, c.scale.high,
                  c.scale.logarithmic, c.scale.map, c.values, c.isTrueColour, c.categories);
}

/// The axis that shows a dimension; −1 where none does.
int axisOf(const DisplaySpace& space, int dimension) {
  if (space.kind != ViewAxes::Kind::Dimensions) return -1;
  for (int a = 0; a < space.axes; ++a)
    if (space.dims[std::size_t(a)] == dimension) return a;
  return -1;
}

/// The colours of one block after the other. What they have in common is prepared with the first
/// one, on the thread that reads them.
class BlockColours {
 public:
  explicit BlockColours(StoredColouring colouring) : colouring_(std::move(colouring)) {}

  void put(std::size_t block, const StoredPoints::Block& points, std::span<std::uint8_t> bytes) {
    const std::size_t n = points.rows.size();
    if (!colourer_) prepare();
    if (colouring_.axis >= 0) {
      for (std::size_t i = 0; i < n; ++i)
        values_[i] =
            float(colouring_.shift +
                  colouring_.factor * double(points.xyz[3 * i + std::size_t(colouring_.axis)]));
    } else if (colouring_.values) {
      readValues(block, n);
    } else if (colouring_.labels && !labels_.empty()) {
      const std::span<std::int32_t> labels = std::span(labels_).first(n);
      if (!colouring_.labels->read(block, labels)) std::ranges::fill(labels, kNoise);
    }
    colourer_(std::span(order_).first(n), bytes);
    if (colouring_.selected) {
      for (std::size_t i = 0; i < n; ++i)
        marks_[i] =
            colouring_.selected->has(points.rows[i]) ? PointMark::Candidate : PointMark::None;
      highlightPoints(bytes, std::span(order_).first(n), marks_, colouring_.background);
      // Selected ones recede, too, where they have no colour: they would cover the open rows, which
      // have theirs.
      for (std::size_t i = 0; areUncoloured_ && i < n; ++i)
        if (bytes[4 * i + 3] == std::uint8_t(DrawLayer::Normal))
          bytes[4 * i + 3] = std::uint8_t(DrawLayer::Noise);
    }
    for (std::size_t i = 0; i < n; ++i)
      if (points.rows[i] % colouring_.every == 0 ||
          (colouring_.kept && !colouring_.kept->has(points.rows[i])))
        bytes[4 * i + 3] = std::uint8_t(DrawLayer::Hidden);
  }

 private:
  void readValues(std::size_t block, std::size_t n) {
    const std::span<float> values = std::span(values_).first(n);
    if (!colouring_.values->read(block, std::as_writable_bytes(values)))
      std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; colouring_.categories > 0 && i < n; ++i)
      labels_[i] = std::isfinite(values[i]) ? std::int32_t(values[i]) : kNoise;
  }

  void prepare() {
    order_.resize(kBlockPoints);
    std::iota(order_.begin(), order_.end(), 0U);
    marks_.resize(kBlockPoints);
    ColourRequest request;
    request.background = colouring_.background;
    if (colouring_.values && colouring_.categories > 0) {
      values_.resize(kBlockPoints);
      labels_.assign(kBlockPoints, kNoise);
      request.labels = labels_;
      request.highestLabel = std::int32_t(colouring_.categories) - 1;
    } else if (colouring_.axis >= 0 || colouring_.values) {
      values_.resize(kBlockPoints);
      request.by = colouring_.isTrueColour ? PointColouring::TrueColour : PointColouring::Scalar;
      request.scalar = values_;
      request.scale = colouring_.scale;
    } else if (!colouring_.isPlain) {
      labels_.assign(kBlockPoints, kNoise);
      request.labels = labels_;
      areUncoloured_ = !colouring_.labels;
      if (colouring_.labels) {
        request.highestLabel = colouring_.labels->highest();
        if (colouring_.clusterColours) request.colourIndex = *colouring_.clusterColours;
        request.highlighted = colouring_.highlighted;
      }
      request.hidden = colouring_.hidden;
    }
    colourer_ = pointColourer(request);
  }

  const StoredColouring colouring_;
  std::vector<std::uint32_t> order_;
  std::vector<std::int32_t> labels_;  ///< of the block
  std::vector<float> values_;
  std::vector<PointMark> marks_;
  bool areUncoloured_ = false;  ///< all rows that the cloud lacks
  PointColourer colourer_;      ///< of these
};

}  // namespace

bool StoredColouring::operator==(const StoredColouring& other) const {
  return partsOf(*this) == partsOf(other);
}

StoredColouring storedColouring(const SceneRequest& request, const SceneContent& content,
                                int dimension, const Scaling& scaling,
                                std::shared_ptr<const StoredLabels> labels,
                                std::shared_ptr<const RowValues> values) {
  StoredColouring colouring;
  colouring.every = request.dataset ? request.dataset->every : 1;
  colouring.kept = request.keptRows;
  colouring.selected = request.selectedRows;
  colouring.background = request.background;
  colouring.isPlain = !request.result && !request.preview && !content.legend;
  if (isOfLabels(request.by)) colouring.hidden = request.hidden;
  if (request.by == ColourBy::Cluster && !request.preview && labels) {
    colouring.labels = std::move(labels);
    colouring.clusterColours = request.clusterColours;
    colouring.highlighted = request.highlighted;
  }
  if (values && !request.preview && request.values && request.values->by == request.by) {
    colouring.isTrueColour = request.by == ColourBy::TrueColour;
    colouring.categories = request.values->words.size();
    if (content.legend) colouring.scale = request.values->units.narrowed(content.legend->scale);
    if (content.legend || colouring.isTrueColour || colouring.categories > 0)
      colouring.values = std::move(values);
    return colouring;
  }
  const int axis = axisOf(content.points->space, dimension);
  if (request.by != ColourBy::Dimension || !content.legend || request.preview || axis < 0)
    return colouring;
  const DisplaySpace& space = content.points->space;
  const auto a = std::size_t(axis);
  const auto j = std::size_t(dimension);
  colouring.axis = axis;
  colouring.shift = space.shift[a];
  colouring.factor = 1 / space.scale[a];
  if (scaling.kind != Scaling::Kind::None && scaling.factor[j] != 0) {
    // Colours are of values in the units of the file.
    colouring.shift = colouring.shift / scaling.factor[j] + scaling.offset[j];
    colouring.factor /= scaling.factor[j];
  }
  const FloatUnits& units = request.values->units;
  colouring.shift = (colouring.shift - units.origin) / units.unit;
  colouring.factor /= units.unit;
  colouring.scale = request.values->units.narrowed(content.legend->scale);
  return colouring;
}

StoredColourer storedColourer(const StoredColouring& colouring) {
  return [colours = std::make_shared<BlockColours>(colouring)](
             std::size_t block, const StoredPoints::Block& points, std::span<std::uint8_t> bytes) {
    colours->put(block, points, bytes);
  };
}

}  // namespace clusterloom
