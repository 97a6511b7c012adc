#include "engine/hierarchy/stable_partition.h"

#include <algorithm>
#include <cmath>

#include "engine/hierarchy/eps_advice.h"

namespace clusterloom {
namespace {

constexpr double kShareWithMeaning = 0.005;
constexpr double kLeastStable = 1.2;  // to / from

/// The clusters with meaning while ε grows.
struct Partition {
  std::uint32_t clusters = 0;
  std::size_t points = 0;  ///< in them
  std::size_t largest = 0;

  /// Two parts become one.
  void merge(std::size_t left, std::size_t right, std::size_t leastSize) {
    for (const std::size_t part : {left, right}) {
      if (part < leastSize) continue;
      --clusters;
      points -= part;
    }
    if (left + right < leastSize) return;
    ++clusters;
    points += left + right;
    largest = std::max(largest, left + right);
  }

  bool isGood(std::size_t all) const {
    return clusters >= 2 && 2 * points >= all && !isNearlyAll(largest, points);
  }
};

}  // namespace

std::size_t leastSizeWithMeaning(std::size_t points, std::int64_t minPts) {
  const auto share = std::size_t(std::ceil(kShareWithMeaning * double(points)));
  return std::max({std::size_t{2}, share, std::size_t(std::max<std::int64_t>(minPts, 1))});
}

std::optional<Plateau> mostStablePartition(const Dendrogram& tree, std::size_t leastSize,
                                           double leastEps) {
  std::optional<Plateau> best;
  double bestRatio = kLeastStable;
  Partition now;
  Plateau open;  // clusters 0: none
  const auto close = [&](double eps) {
    open.to = eps;
    if (open.clusters > 0 && open.to >= bestRatio * open.from) {
      best = open;
      bestRatio = open.to / open.from;
    }
    open.clusters = 0;
  };
  for (std::size_t m = 0; m < tree.merges() && std::isfinite(tree.squaredWeights[m]); ++m) {
    now.merge(tree.sizeOf(tree.left[m]), tree.sizeOf(tree.right[m]), leastSize);
    const bool isLast =
        m + 1 == tree.merges() || tree.squaredWeights[m + 1] > tree.squaredWeights[m];
    const std::uint32_t clusters = now.isGood(tree.points) ? now.clusters : 0;
    if (!isLast || clusters == open.clusters) continue;
    const double eps = std::max(leastEps, std::sqrt(tree.squaredWeights[m]));
    close(eps);
    open = {eps, eps, clusters};
  }
  return best;
}

}  // namespace clusterloom
