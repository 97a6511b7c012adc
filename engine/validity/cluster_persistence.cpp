#include "engine/validity/cluster_persistence.h"

#include <limits>

#include "engine/core/large_array.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/validity/resampling.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kNoParent = std::numeric_limits<std::uint32_t>::max();

/// The dendrogram with the way up. A cluster at some ε is a node whose parent weighs more than the
/// node itself: of merges at one weight only the last makes a cluster.
struct Ways {
  const Dendrogram& tree;
  std::span<const double> squaredCore;
  LargeArray<std::uint32_t> parents;
  LargeArray<std::uint32_t> tops;  ///< of each merge: the last one at its weight

  explicit Ways(const Hierarchy& hierarchy)
      : tree(hierarchy.dendrogram()),
        squaredCore(hierarchy.squaredCoreDistances()),
        parents(tree.nodes()),
        tops(tree.merges()) {
    if (!parents.empty()) parents.back() = kNoParent;
    for (std::size_t merge = 0; merge < tree.merges(); ++merge)
      parents[tree.left[merge]] = parents[tree.right[merge]] = std::uint32_t(tree.points + merge);
    for (std::size_t merge = tree.merges(); merge-- > 0;) {
      const auto node = std::uint32_t(tree.points + merge);
      const std::uint32_t parent = parents[node];
      const bool isLast = parent == kNoParent || weight(parent) != weight(node);
      tops[merge] = isLast ? node : tops[parent - tree.points];
    }
  }

  /// Squared, at which the node appears.
  double weight(std::uint32_t node) const {
    return tree.isPoint(node) ? squaredCore[node] : tree.squaredWeights[node - tree.points];
  }

  /// The cluster just before the weight of a node that has more than half of its points; where
  /// there is none, a smaller one or kNoParent.
  std::uint32_t mostBefore(std::uint32_t node) const {
    const double at = weight(node);
    while (!tree.isPoint(node) && weight(node) == at) {
      const std::uint32_t left = tree.left[node - tree.points];
      const std::uint32_t right = tree.right[node - tree.points];
      node = tree.sizeOf(left) >= tree.sizeOf(right) ? left : right;
    }
    return weight(node) < at ? node : kNoParent;
  }

  EpsRangeOfCluster rangeOf(std::uint32_t cluster) const {
    const double size = tree.sizeOf(cluster);
    EpsRangeOfCluster range;
    for (std::uint32_t node = cluster; parents[node] != kNoParent;) {
      const std::uint32_t next = tops[parents[node] - tree.points];
      if (size < kFoundAgain * tree.sizeOf(next)) {
        range.to = smallestEps(weight(next));
        break;
      }
      node = next;
    }
    std::uint32_t first = cluster;
    for (;;) {
      const std::uint32_t before = mostBefore(first);
      if (before == kNoParent || tree.sizeOf(before) < kFoundAgain * size) break;
      first = before;
    }
    range.from = smallestEps(weight(first));
    return range;
  }
};

}  // namespace

std::vector<EpsRangeOfCluster> persistenceOf(const Hierarchy& hierarchy,
                                             std::span<const std::uint32_t> nodes) {
  std::vector<EpsRangeOfCluster> ranges;
  if (nodes.empty()) return ranges;
  const Ways ways(hierarchy);
  ranges.reserve(nodes.size());
  for (const std::uint32_t node : nodes) ranges.push_back(ways.rangeOf(node));
  return ranges;
}

}  // namespace clusterloom
