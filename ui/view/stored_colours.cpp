#include "ui/view/stored_colours.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace clusterloom {
namespace {

auto partsOf(const StoredColouring& c) {
  return std::tie(c.every, c.background, c.isPlain, c.labels, c.clusterColours, c.highlighted,
                  c.hidden, c.axis, c.shift, c.factor, c.scale.low, c.scale.high,
                  c.scale.logarithmic, c.scale.map);
}

/// The axis that shows a dimension; −1 where none does.
int axisOf(const DisplaySpace& space, int dimension) {
  if (space.kind != ViewAxes::Kind::Dimensions) return -1;
  for (int a = 0; a < space.axes; ++a)
    if (space.dims[std::size_t(a)] == dimension) return a;
  return -1;
}

}  // namespace

bool StoredColouring::operator==(const StoredColouring& other) const {
  return partsOf(*this) == partsOf(other);
}

StoredColouring storedColouring(const SceneRequest& request, const SceneContent& content,
                                int dimension, const Scaling& scaling,
                                std::shared_ptr<const StoredLabels> labels) {
  StoredColouring colouring;
  colouring.every = request.dataset ? request.dataset->every : 1;
  colouring.background = request.background;
  colouring.isPlain = !request.result && !request.preview && !content.legend;
  if (isOfLabels(request.by)) colouring.hidden = request.hidden;
  if (request.by == ColourBy::Cluster && !request.preview && labels) {
    colouring.labels = std::move(labels);
    colouring.clusterColours = request.clusterColours;
    colouring.highlighted = request.highlighted;
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
  colouring.scale = content.legend->scale;
  return colouring;
}

StoredColourer storedColourer(const StoredColouring& colouring) {
  return [colouring](std::size_t block, const StoredPoints::Block& points,
                     std::span<std::uint8_t> bytes) {
    const std::size_t n = points.rows.size();
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::vector<std::int32_t> labels;
    std::vector<float> values;
    ColourRequest request;
    request.background = colouring.background;
    if (colouring.axis >= 0) {
      values.resize(n);
      for (std::size_t i = 0; i < n; ++i)
        values[i] =
            float(colouring.shift +
                  colouring.factor * double(points.xyz[3 * i + std::size_t(colouring.axis)]));
      request.by = PointColouring::Scalar;
      request.scalar = values;
      request.scale = colouring.scale;
    } else if (!colouring.isPlain) {
      labels.assign(n, kNoise);
      if (colouring.labels && colouring.labels->read(block, labels)) {
        if (colouring.clusterColours) request.colourIndex = *colouring.clusterColours;
        request.highlighted = colouring.highlighted;
      }
      request.hidden = colouring.hidden;
      request.labels = labels;
    }
    pointColourer(request)(order, bytes);
    for (std::size_t i = 0; i < n; ++i)
      if (points.rows[i] % colouring.every == 0) bytes[4 * i + 3] = std::uint8_t(DrawLayer::Hidden);
  };
}

}  // namespace clusterloom
