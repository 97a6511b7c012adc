#include "engine/product/product_nearest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/core/parallel_for.h"
#include "engine/core/predicate.h"
#include "engine/core/shared_progress.h"
#include "engine/product/product_tile.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

/// A squared distance and a point: neighbours are ordered by both.
using Neighbour = std::pair<double, std::uint32_t>;

/// Finds the neighbours of the points of one leaf of `queries` after the other, among `points`,
/// which may be the same.
class LeafNeighbours {
 public:
  LeafNeighbours(const RoundedPoints& queries, const RoundedPoints& points, std::size_t others)
      : queries_(queries),
        points_(points),
        own_(&queries == &points),
        others_(others),
        compute_(bestProductTile()),
        found_(kTilePoints) {}

  /// The nearest `others` points of each point of leaf `a`, ascending. False when stopped.
  bool search(std::size_t a, const Task& task) {
    for (std::size_t row = 0; row < kTilePoints; ++row) {
      found_[row].clear();
      outer_[row] = kInfinity;
    }
    order_.clear();
    for (std::size_t b = 0; b < points_.leaves.size(); ++b)
      order_.emplace_back(leastDistance({queries_, a}, {points_, b}), b);
    // Near leaves first: their points soon rule out most of the others.
    std::sort(order_.begin(), order_.end());
    for (const auto& [least, b] : order_) {
      if (task.cancelled()) return false;
      const double farthest = *std::max_element(outer_, outer_ + queries_.leaves[a].count);
      if (least > outerReach({.outer = farthest}, errorsOf(a, b))) continue;
      visit(a, b);
    }
    for (std::size_t row = 0; row < queries_.leaves[a].count; ++row)
      std::sort_heap(found_[row].begin(), found_[row].end());
    return true;
  }

  const std::vector<Neighbour>& of(std::size_t row) const { return found_[row]; }

 private:
  void visit(std::size_t a, std::size_t b) {
    const RoundedLeaf& leafA = queries_.leaves[a];
    const RoundedLeaf& leafB = points_.leaves[b];
    std::int32_t reach[kTilePoints] = {};
    std::int32_t farthest = 0;
    for (std::size_t row = 0; row < leafA.count; ++row) {
      reach[row] = squaredReach(a, b, row);
      farthest = std::max(farthest, reach[row]);
    }
    compute_({.a = queries_.panels.data() + a * queries_.leafSize(),
              .b = points_.panels.data() + b * points_.leafSize(),
              .pairsOfDims = points_.pairsOfDims,
              .normsA = queries_.norms.data() + a * kTilePoints,
              .normsB = points_.norms.data() + b * kTilePoints,
              .outside = farthest,
              .squares = squares_,
              .near = near_});
    const std::uint64_t filled = ~std::uint64_t{0} >> (kTilePoints - leafB.count);
    for (std::size_t row = 0; row < leafA.count; ++row) {
      if (found_[row].empty()) reach[row] = boundByTile(a, b, row);
      std::uint64_t near = near_[row] & filled;
      if (same(a, b)) near &= ~(std::uint64_t{1} << row);
      for (; near != 0; near &= near - 1) {
        const auto column = std::size_t(std::countr_zero(near));
        if (squares_[row * kTilePoints + column] > reach[row]) continue;
        if (take(row, leafA.first + row, leafB.first + column))
          reach[row] = squaredReach(a, b, row);
      }
    }
  }

  /// No rounded point of leaf b that can be a neighbour is further from the row's.
  std::int32_t squaredReach(std::size_t a, std::size_t b, std::size_t row) const {
    return nearestReach(outer_[row], errorsOf(a, b), kLargestRoundedDistance);
  }

  /// A reach that enough points of the tile are within, if it has as many: then few of the others
  /// need an exact distance.
  std::int32_t boundByTile(std::size_t a, std::size_t b, std::size_t row) {
    const std::uint32_t count = points_.leaves[b].count;
    std::int32_t squares[kTilePoints];
    std::copy_n(squares_ + row * kTilePoints, count, squares);
    if (same(a, b)) squares[row] = std::numeric_limits<std::int32_t>::max();  // the point itself
    const std::size_t last = others_ - 1;
    if (others_ + (same(a, b) ? 1 : 0) > count) return squaredReach(a, b, row);
    std::nth_element(squares, squares + last, squares + count);
    // Rounded points at d̂ are at most d̂ + δx + δy apart, so that the last neighbour is no further,
    // and its rounded point no further than that and both errors again.
    const double errors = errorsOf(a, b);
    return nearestReach(
        (std::sqrt(double(squares[last])) + errors + points_.rounding.scale * kUnderflow) *
            (1 + relativeMargin()),
        errors, kLargestRoundedDistance);
  }

  bool same(std::size_t a, std::size_t b) const { return own_ && a == b; }

  double errorsOf(std::size_t a, std::size_t b) const {
    return queries_.leaves[a].error + points_.leaves[b].error;
  }

  /// More than rounding changes canonical distances by.
  double relativeMargin() const { return double(points_.dims + 8) * 0x1p-49; }

  /// Takes the point at position q if it is one of the nearest; says whether the last one changed.
  bool take(std::size_t row, std::size_t p, std::size_t q) {
    const Neighbour neighbour(canonicalSquaredDistance(queries_, p, points_, q),
                              points_.pointIds[q]);
    std::vector<Neighbour>& found = found_[row];
    if (found.size() == others_) {
      if (!(neighbour < found.front())) return false;
      std::pop_heap(found.begin(), found.end());
      found.back() = neighbour;
    } else {
      found.push_back(neighbour);
    }
    std::push_heap(found.begin(), found.end());
    if (found.size() < others_) return false;
    outer_[row] = nearestOuter(points_.rounding.scale, found.front().first, points_.dims);
    return true;
  }

  const RoundedPoints& queries_;
  const RoundedPoints& points_;
  bool own_;
  std::size_t others_;
  TileFunction compute_;
  std::vector<std::vector<Neighbour>> found_;  ///< by row, a heap with the last neighbour on top
  double outer_[kTilePoints] = {};  ///< of the last neighbour; +∞ while some are missing
  std::vector<std::pair<double, std::size_t>> order_;  ///< of leaves, by least distance
  std::uint64_t near_[kTilePoints] = {};
  alignas(64) std::int32_t squares_[kTilePoints * kTilePoints] = {};
};

/// Rows of neighbours to be filled.
struct Rows {
  std::size_t k;
  bool byPosition;  ///< else by point
  std::span<std::uint32_t> ids;
  std::span<double> squaredDistances;
};

/// Rows of the points of `queries`, which may be `points`: a point then begins its own.
void searchRows(const RoundedPoints& queries, const RoundedPoints& points, const Rows& rows,
                const Task& task) {
  const bool own = &queries == &points;
  SharedProgress progress(task, "finding neighbours", queries.leaves.size());
  parallelForBlocks(queries.leaves.size(), 1, [&](std::size_t begin, std::size_t end) {
    LeafNeighbours neighbours(queries, points, rows.k - (own ? 1 : 0));
    for (std::size_t leaf = begin; leaf < end; ++leaf) {
      if (!neighbours.search(leaf, task)) return;
      for (std::size_t row = 0; row < queries.leaves[leaf].count; ++row) {
        const std::size_t position = queries.leaves[leaf].first + row;
        const std::size_t id = queries.pointIds[position];
        std::size_t at = (rows.byPosition ? position : id) * rows.k;
        if (own) {
          rows.ids[at] = std::uint32_t(id);
          rows.squaredDistances[at++] = 0;
        }
        for (const auto& [square, other] : neighbours.of(row)) {
          rows.squaredDistances[at] = square;
          rows.ids[at++] = other;
        }
      }
      progress.add(1);
    }
  });
}

}  // namespace

Result<void> nearestByProducts(const PointCloud& cloud, std::size_t k, std::span<std::uint32_t> ids,
                               std::span<double> squaredDistances, const Task& task) {
  const PointCloud* const clouds[] = {&cloud};
  const auto points = roundPoints(cloud, roundingFor(clouds, task), task);
  if (!points) return tl::unexpected(points.error());
  searchRows(*points, *points, {k, false, ids, squaredDistances}, task);
  if (task.cancelled()) return cancelledError();
  return {};
}

Result<void> nearestByProducts(const RoundedPoints& points, std::size_t k,
                               std::span<std::uint32_t> ids, std::span<double> squaredDistances,
                               const Task& task) {
  searchRows(points, points, {k, true, ids, squaredDistances}, task);
  if (task.cancelled()) return cancelledError();
  return {};
}

Result<void> nearestByProductsOf(const PointCloud& queries, const PointCloud& cloud, std::size_t k,
                                 std::span<std::uint32_t> ids, std::span<double> squaredDistances,
                                 const Task& task) {
  const PointCloud* const clouds[] = {&queries, &cloud};
  const Rounding rounding = roundingFor(clouds, task);
  const auto of = roundPoints(queries, rounding, task);
  if (!of) return tl::unexpected(of.error());
  const auto points = roundPoints(cloud, rounding, task);
  if (!points) return tl::unexpected(points.error());
  searchRows(*of, *points, {k, false, ids, squaredDistances}, task);
  if (task.cancelled()) return cancelledError();
  return {};
}

}  // namespace clusterloom
