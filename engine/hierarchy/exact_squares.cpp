#include "engine/hierarchy/exact_squares.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "engine/cloud/file_rows.h"
#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

/// A coordinate of a cloud, with the point that has it.
struct Coordinate {
  const PointCloud* cloud = nullptr;
  std::size_t point = 0;
  double value = 0;
};

/// The lowest and the highest coordinate of a dimension in both clouds.
std::pair<Coordinate, Coordinate> endsOf(const PointCloud& a, const PointCloud& b,
                                         std::size_t dim) {
  Coordinate low{&a, 0, a.columns[dim][0]};
  Coordinate high = low;
  for (const PointCloud* cloud : {&a, &b})
    for (std::size_t p = 0; p < cloud->size(); ++p) {
      const double value = cloud->columns[dim][p];
      if (value < low.value) low = {cloud, p, value};
      if (value > high.value) high = {cloud, p, value};
    }
  return {low, high};
}

/// Names the two points that are farthest apart along one dimension.
Result<void> tooFar(const PointCloud& a, const PointCloud& b) {
  std::pair<Coordinate, Coordinate> widest;
  std::size_t dim = 0;
  for (std::size_t j = 0; j < a.dims(); ++j) {
    const auto ends = endsOf(a, b, j);
    if (j > 0 && ends.second.value - ends.first.value <= widest.second.value - widest.first.value)
      continue;
    widest = ends;
    dim = j;
  }
  const auto where = [&](const Coordinate& at) {
    return roundTripText(at.value) + " at " + pointText(at.point, {}) +
           (&a == &b         ? ""
            : at.cloud == &a ? " of the first cloud"
                             : " of the second cloud");
  };
  const std::string name =
      dim < a.names.size() && !a.names[dim].empty() ? a.names[dim] : std::to_string(dim);
  return badInput("Points are so far apart that the square of a distance overflows: coordinate " +
                  name + " is " + where(widest.first) + " and " + where(widest.second) +
                  " (points are counted from 0). Distances must be below 1e154. Correct or remove "
                  "these points, or scale the data.");
}

Result<void> tooNear() {
  return badInput(
      "Points that differ are so near each other that the square of their distance underflows. "
      "Distances between points that differ must be above 1.5e-154. Scale the data.");
}

/// Whether all points lie so near each other that distances whose squares underflow count. In
/// larger clouds they are as good as 0, such as those of probabilities near 0.
bool isTiny(const PointCloud& a, const PointCloud& b) {
  constexpr double kTiny = 1e-140;
  const Bounds of = boundsOf(a);
  const Bounds with = boundsOf(b);
  for (std::size_t j = 0; j < a.dims(); ++j)
    if (std::max(of.high[j], with.high[j]) - std::min(of.low[j], with.low[j]) >= kTiny)
      return false;
  return true;
}

bool isSmall(double squared) { return squared < std::numeric_limits<double>::min(); }

/// Whether points at a squared distance of 0 lie at the same place. Coordinates with a period were
/// rounded to the numbers that the box can tell apart, so only those without one are compared.
bool isSamePlace(const PointCloud& a, std::size_t p, const PointCloud& b, std::size_t q,
                 const std::vector<double>& periods) {
  for (std::size_t j = 0; j < a.dims(); ++j) {
    const bool wraps = !periods.empty() && periods[j] > 0;
    if (!wraps && a.columns[j][p] != b.columns[j][q]) return false;
  }
  return true;
}

}  // namespace

Result<void> checkSquares(const JoinInput& input, const NearestNeighbours& found,
                          const std::vector<double>& periods) {
  const auto k = std::size_t(found.k);
  std::atomic<bool> far = false;
  std::atomic<bool> near = false;
  parallelFor(found.points, kRowsAtOnce, [&](std::size_t p) {
    const double* const squared = found.squaredDistances.data() + p * k;
    if (!std::isfinite(squared[k - 1])) far = true;
    for (std::size_t i = 0; i < k && isSmall(squared[i]); ++i) {
      const std::size_t q = found.ids[p * k + i];
      if (!input.twoClouds && p == q) continue;
      if (squared[i] > 0 || !isSamePlace(input.queries, p, input.points, q, periods)) near = true;
    }
  });
  if (far) return tooFar(input.queries, input.points);
  if (near && isTiny(input.queries, input.points)) return tooNear();
  return {};
}

Result<void> checkSquares(const PointCloud& cloud, const Hierarchy& hierarchy,
                          const std::vector<double>& periods) {
  if (hierarchy.minPts() > std::int64_t(cloud.size())) return {};  // no point is core
  const Dendrogram& tree = hierarchy.dendrogram();
  if (tree.merges() > 0 && !std::isfinite(tree.squaredWeights[tree.merges() - 1]))
    return tooFar(cloud, cloud);
  const auto underflow = [&]() -> Result<void> {
    if (isTiny(cloud, cloud)) return tooNear();
    return {};
  };
  for (const double squared : hierarchy.squaredCoreDistances())
    if (squared > 0 && isSmall(squared)) return underflow();
  // By induction all points of a node of height 0 lie where its lowest point does.
  for (std::size_t i = 0; i < tree.merges() && isSmall(tree.squaredWeights[i]); ++i) {
    const std::size_t left = hierarchy.lowestPoint(tree.left[i]);
    const std::size_t right = hierarchy.lowestPoint(tree.right[i]);
    if (tree.squaredWeights[i] > 0 || !isSamePlace(cloud, left, cloud, right, periods))
      return underflow();
  }
  return {};
}

Result<void> checkSquares(const PointCloud& cloud, std::span<const double> squared) {
  bool near = false;
  for (const double value : squared) {
    if (!std::isfinite(value)) return tooFar(cloud, cloud);
    near |= isSmall(value);
  }
  if (!near || !isTiny(cloud, cloud)) return {};
  for (std::size_t p = 1; p < cloud.size(); ++p)
    if (!isSamePlace(cloud, 0, cloud, p, {})) return tooNear();
  return {};
}

Result<void> checkSquares(const PointCloud& cloud, std::span<const TreeEdge> edges,
                          std::int64_t minPts, const std::vector<double>& periods) {
  if (minPts > std::int64_t(cloud.size())) return {};
  bool near = false;
  for (const TreeEdge& edge : edges) {
    if (!std::isfinite(edge.squaredWeight)) return tooFar(cloud, cloud);
    if (!isSmall(edge.squaredWeight)) continue;
    near |= edge.squaredWeight > 0 || !isSamePlace(cloud, edge.a, cloud, edge.b, periods);
  }
  if (near && isTiny(cloud, cloud)) return tooNear();
  return {};
}

}  // namespace clusterloom
