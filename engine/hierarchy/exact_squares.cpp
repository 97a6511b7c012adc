#include "engine/hierarchy/exact_squares.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>

namespace clusterloom {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;

Result<void> tooFar() {
  return badInput(
      "Points are so far apart that the square of a distance overflows; distances must be below "
      "1e154. Scale the data.");
}

Result<void> tooNear() {
  return badInput(
      "Points that differ are so near each other that the square of their distance underflows; "
      "distances must be above 1.5e-154. Scale the data.");
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
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, found.points, kRowsAtOnce), [&](const auto& rows) {
        for (std::size_t p = rows.begin(); p < rows.end(); ++p) {
          const double* const squared = found.squaredDistances.data() + p * k;
          if (!std::isfinite(squared[k - 1])) far = true;
          for (std::size_t i = 0; i < k && isSmall(squared[i]); ++i) {
            const std::size_t q = found.ids[p * k + i];
            if (!input.twoClouds && p == q) continue;
            if (squared[i] > 0 || !isSamePlace(input.queries, p, input.points, q, periods))
              near = true;
          }
        }
      });
  if (far) return tooFar();
  if (near && isTiny(input.queries, input.points)) return tooNear();
  return {};
}

Result<void> checkSquares(const PointCloud& cloud, const Hierarchy& hierarchy,
                          const std::vector<double>& periods) {
  if (hierarchy.minPts() > std::int64_t(cloud.size())) return {};  // no point is core
  const Dendrogram& tree = hierarchy.dendrogram();
  if (tree.merges() > 0 && !std::isfinite(tree.squaredWeights[tree.merges() - 1])) return tooFar();
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

Result<void> checkSquares(const PointCloud& cloud, std::span<const TreeEdge> edges,
                          std::int64_t minPts, const std::vector<double>& periods) {
  if (minPts > std::int64_t(cloud.size())) return {};
  bool near = false;
  for (const TreeEdge& edge : edges) {
    if (!std::isfinite(edge.squaredWeight)) return tooFar();
    if (!isSmall(edge.squaredWeight)) continue;
    near |= edge.squaredWeight > 0 || !isSamePlace(cloud, edge.a, cloud, edge.b, periods);
  }
  if (near && isTiny(cloud, cloud)) return tooNear();
  return {};
}

}  // namespace clusterloom
