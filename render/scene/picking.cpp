#include "render/scene/picking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "render/scene/point_colours.h"
#include "render/scene/point_levels.h"

namespace clusterloom {
namespace {

/// A projected point: pixels from the lower left and depth, smaller being nearer.
struct Projected {
  double x;
  double y;
  double depth;
  bool visible;  ///< in front of the viewer
};

Projected project(const ViewTransform& view, const float* xyz) {
  const auto& m = view.worldToClip;
  const auto x = double(xyz[0]);
  const auto y = double(xyz[1]);
  const auto z = double(xyz[2]);
  const double w = m[12] * x + m[13] * y + m[14] * z + m[15];
  const double cx = m[0] * x + m[1] * y + m[2] * z + m[3];
  const double cy = m[4] * x + m[5] * y + m[6] * z + m[7];
  const double cz = m[8] * x + m[9] * y + m[10] * z + m[11];
  const double inverse = 1 / w;
  return {(cx * inverse + 1) / 2 * view.width, (cy * inverse + 1) / 2 * view.height, cz * inverse,
          w > 0};
}

std::uint8_t layerAt(std::span<const std::uint8_t> colours, std::size_t drawn) {
  return 4 * drawn + 3 < colours.size() ? colours[4 * drawn + 3] : std::uint8_t(DrawLayer::Normal);
}

constexpr auto kHiddenLayer = std::uint8_t(DrawLayer::Hidden);
constexpr auto kNoiseLayer = std::uint8_t(DrawLayer::Noise);

bool isDrawn(std::uint8_t layer, const ViewTransform& view) {
  return layer != kHiddenLayer && (layer != kNoiseLayer || view.noiseStrength > 0);
}

/// Smaller is in front.
double orderOf(const Projected& at, std::uint8_t layer, const ViewTransform& view) {
  constexpr double kDepths = 2;  // depths are within −1 and 1
  if (view.flat) return -double(layer);
  return layer == kNoiseLayer && view.noiseStrength < 1 ? at.depth + kDepths : at.depth;
}

/// Sorts distinct numbers that are not much larger than their count: faster than comparing.
void sortDense(std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return;
  std::vector<bool> present(std::size_t{*std::max_element(numbers.begin(), numbers.end())} + 1);
  for (const std::uint32_t number : numbers) present[number] = true;
  auto next = numbers.begin();
  for (std::size_t i = 0; i < present.size(); ++i)
    if (present[i]) *next++ = std::uint32_t(i);
}

/// A closed outline, divided into rows of pixels: each row lists the edges that cross it, so that a
/// place is compared with few of them.
class OutlineRows {
 public:
  OutlineRows(std::span<const PixelPlace> outline, int height) : rows_(std::size_t(height)) {
    for (std::size_t i = 0; i < outline.size(); ++i) {
      const Edge edge{outline[i], outline[(i + 1) % outline.size()]};
      left_ = std::min(left_, edge.from.x);
      right_ = std::max(right_, edge.from.x);
      bottom_ = std::min(bottom_, edge.from.y);
      top_ = std::max(top_, edge.from.y);
      const double last = double(height) - 1;
      const double low = std::floor(std::min(edge.from.y, edge.to.y));
      const double high = std::floor(std::max(edge.from.y, edge.to.y));
      if (!(low <= last && high >= 0)) continue;
      for (auto row = std::size_t(std::max(low, 0.0)); row <= std::size_t(std::min(high, last));
           ++row)
        rows_[row].push_back(edge);
    }
  }

  double left() const { return left_; }
  double right() const { return right_; }
  double bottom() const { return bottom_; }
  double top() const { return top_; }
  bool contains(double x, double y) const {
    if (!(x >= left_ && x <= right_ && y >= 0 && y < double(rows_.size()))) return false;
    int winding = 0;
    for (const Edge& edge : rows_[std::size_t(y)]) {
      const bool up = edge.from.y <= y && edge.to.y > y;
      const bool down = edge.from.y > y && edge.to.y <= y;
      if (!up && !down) continue;
      const double side = (edge.to.x - edge.from.x) * (y - edge.from.y) -
                          (x - edge.from.x) * (edge.to.y - edge.from.y);
      if (up && side > 0) ++winding;
      if (down && side < 0) --winding;
    }
    return winding != 0;
  }

 private:
  struct Edge {
    PixelPlace from;
    PixelPlace to;
  };
  std::vector<std::vector<Edge>> rows_;
  double left_ = std::numeric_limits<double>::infinity();
  double right_ = -std::numeric_limits<double>::infinity();
  double bottom_ = left_;
  double top_ = right_;
};

/// Whether a point of this layer is drawn within the outline.
bool isWithin(const OutlineRows& rows, const ViewTransform& view, const float* xyz,
              std::uint8_t layer) {
  const Projected at = project(view, xyz);
  return at.visible && std::abs(at.depth) <= 1 && rows.contains(at.x, at.y) && isDrawn(layer, view);
}

std::vector<std::uint8_t> coloursOf(const StoredColourer& colourer, std::size_t index,
                                    const StoredPoints::Block& block) {
  std::vector<std::uint8_t> colours(4 * block.rows.size());
  colourer(index, block, colours);
  return colours;
}

using Matrix4 = std::array<double, 16>;

/// Inverse of a row-major 4 × 4 matrix by Gauss-Jordan; nullopt when it is singular.
std::optional<Matrix4> inverse(Matrix4 m) {
  Matrix4 out{};
  for (std::size_t i = 0; i < 4; ++i) out[5 * i] = 1;
  for (std::size_t column = 0; column < 4; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < 4; ++row)
      if (std::abs(m[4 * row + column]) > std::abs(m[4 * pivot + column])) pivot = row;
    if (m[4 * pivot + column] == 0) return std::nullopt;
    for (std::size_t k = 0; k < 4; ++k) {
      std::swap(m[4 * pivot + k], m[4 * column + k]);
      std::swap(out[4 * pivot + k], out[4 * column + k]);
    }
    const double divisor = m[4 * column + column];
    for (std::size_t k = 0; k < 4; ++k) {
      m[4 * column + k] /= divisor;
      out[4 * column + k] /= divisor;
    }
    for (std::size_t row = 0; row < 4; ++row) {
      if (row == column) continue;
      const double factor = m[4 * row + column];
      for (std::size_t k = 0; k < 4; ++k) {
        m[4 * row + k] -= factor * m[4 * column + k];
        out[4 * row + k] -= factor * out[4 * column + k];
      }
    }
  }
  return out;
}

std::array<double, 3> unproject(const Matrix4& clipToWorld, double x, double y, double z) {
  std::array<double, 4> h{};
  for (std::size_t i = 0; i < 4; ++i)
    h[i] = clipToWorld[4 * i] * x + clipToWorld[4 * i + 1] * y + clipToWorld[4 * i + 2] * z +
           clipToWorld[4 * i + 3];
  return {h[0] / h[3], h[1] / h[3], h[2] / h[3]};
}

}  // namespace

std::optional<PickedPoint> pickPoint(const DisplayPoints& points, const DrawnColours& colours,
                                     const ViewTransform& view, double x, double y, double radius) {
  if (view.width <= 0 || view.height <= 0) return std::nullopt;
  std::optional<PickedPoint> best;
  const auto consider = [&](std::size_t i) {
    const Projected at = project(view, points.xyz.data() + 3 * i);
    const double dx = at.x - x;
    const double dy = at.y - y;
    const double squared = dx * dx + dy * dy;
    if (!(squared <= radius * radius) || !at.visible || std::abs(at.depth) > 1) return;
    const std::uint8_t layer = layerAt(colours.bytes(), i);
    if (!isDrawn(layer, view)) return;
    const PickRank rank{orderOf(at, layer, view), squared, points.order[i]};
    if (!best || rank < best->rank) best = PickedPoint{std::uint32_t(i), points.order[i], rank};
  };
  for (std::size_t b = 0; b < points.blocks.size(); ++b) {
    const PointBlock& block = points.blocks[b];
    if (!mayBeWithin(block, view, x - radius, y - radius, x + radius, y + radius)) continue;
    colours.need(b);
    for (std::size_t i = 0; i < block.count; ++i) consider(block.first + i);
  }
  return best;
}

Result<std::vector<std::uint32_t>> pointsInOutline(const DisplayPoints& points,
                                                   const DrawnColours& colours,
                                                   const ViewTransform& view,
                                                   std::span<const PixelPlace> outline,
                                                   const Task& task) {
  std::vector<std::uint32_t> ids;
  if (view.width <= 0 || view.height <= 0 || outline.size() < 3) return ids;
  const OutlineRows rows(outline, view.height);
  for (std::size_t b = 0; b < points.blocks.size(); ++b) {
    const PointBlock& block = points.blocks[b];
    if (task.cancelled()) return cancelledError();
    task.report("projecting", double(block.first) / double(points.size()));
    if (!mayBeWithin(block, view, rows.left(), rows.bottom(), rows.right(), rows.top())) continue;
    colours.need(b);
    for (std::size_t i = block.first; i < std::size_t{block.first} + block.count; ++i)
      if (isWithin(rows, view, points.xyz.data() + 3 * i, layerAt(colours.bytes(), i)))
        ids.push_back(points.order[i]);
  }
  if (task.cancelled()) return cancelledError();
  sortDense(ids);
  return ids;
}

Result<std::optional<PickedRow>> pickRow(const StoredPoints& stored, const StoredColourer& colourer,
                                         const ViewTransform& view, double x, double y,
                                         double radius, const Task& task, std::size_t mostBlocks) {
  std::optional<PickedRow> best;
  if (view.width <= 0 || view.height <= 0) return best;
  const std::vector<PointBlock>& blocks = stored.outline()->blocks;
  std::vector<std::size_t> near;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!mayBeWithin(blocks[b], view, x - radius, y - radius, x + radius, y + radius)) continue;
    // Of a large file that is small in the picture nearly all would be read.
    if (near.size() == mostBlocks) return best;
    near.push_back(b);
  }
  for (const std::size_t b : near) {
    if (task.cancelled()) return cancelledError();
    auto block = stored.read(b);
    if (!block) return tl::unexpected(block.error());
    const DrawnColours colours(coloursOf(colourer, b, *block));
    DisplayPoints points;
    points.order.assign(block->rows.begin(), block->rows.end());
    points.xyz = std::move(block->xyz);
    points.blocks = {blocks[b]};
    points.blocks.front().first = 0;
    const auto found = pickPoint(points, colours, view, x, y, radius);
    if (!found || (best && best->rank < found->rank)) continue;
    const float* const at = points.xyz.data() + 3 * std::size_t{found->drawn};
    best = PickedRow{found->point, b, found->drawn, {at[0], at[1], at[2]}, found->rank};
  }
  return best;
}

Result<void> rowsInOutline(const StoredPoints& stored, const StoredColourer& colourer,
                           const ViewTransform& view, std::span<const PixelPlace> outline,
                           const std::function<void(std::uint32_t row)>& take, const Task& task) {
  if (view.width <= 0 || view.height <= 0 || outline.size() < 3) return {};
  const OutlineRows rows(outline, view.height);
  const std::vector<PointBlock>& blocks = stored.outline()->blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (task.cancelled()) return cancelledError();
    task.report("projecting", double(b) / double(blocks.size()));
    if (!mayBeWithin(blocks[b], view, rows.left(), rows.bottom(), rows.right(), rows.top()))
      continue;
    const auto block = stored.read(b);
    if (!block) return tl::unexpected(block.error());
    const std::vector<std::uint8_t> colours = coloursOf(colourer, b, *block);
    for (std::size_t i = 0; i < block->rows.size(); ++i)
      if (isWithin(rows, view, block->xyz.data() + 3 * i, layerAt(colours, i)))
        take(block->rows[i]);
  }
  return {};
}

std::optional<std::array<double, 3>> placeUnder(const DisplaySpace& space,
                                                const ViewTransform& view, double x, double y) {
  if (view.width <= 0 || view.height <= 0) return std::nullopt;
  const auto clipToWorld = inverse(view.worldToClip);
  if (!clipToWorld) return std::nullopt;
  const double cx = 2 * x / view.width - 1;
  const double cy = 2 * y / view.height - 1;
  const auto near = unproject(*clipToWorld, cx, cy, -1);
  const auto far = unproject(*clipToWorld, cx, cy, 1);
  const double run = far[2] - near[2];
  const double t = -near[2] / run;
  if (!std::isfinite(t) || t < 0 || t > 1) return std::nullopt;
  std::array<double, 3> place{};
  for (std::size_t a = 0; a < 3; ++a)
    place[a] = space.toValue(int(a), near[a] + t * (far[a] - near[a]));
  return place;
}

}  // namespace clusterloom
