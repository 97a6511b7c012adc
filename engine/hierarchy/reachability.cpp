#include "engine/hierarchy/reachability.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace clusterloom {
namespace {

constexpr std::size_t kStretchesPerLook = std::size_t{1} << 16;

/// A node that is still to be written, and the height of its first bar.
struct PendingStretch {
  std::uint32_t node;
  double squaredHeight;
};

/// The lowest point below each merge.
LargeArray<std::uint32_t> lowestPoints(const Dendrogram& tree) {
  LargeArray<std::uint32_t> lowest(tree.merges());
  const auto of = [&](std::uint32_t node) {
    return tree.isPoint(node) ? node : lowest[node - tree.points];
  };
  for (std::size_t i = 0; i < tree.merges(); ++i)
    lowest[i] = std::min(of(tree.left[i]), of(tree.right[i]));
  return lowest;
}

}  // namespace

Result<Reachability> reachabilityOf(const Dendrogram& tree, const Task& task) {
  const LargeArray<std::uint32_t> lowest = lowestPoints(tree);
  Reachability plot;
  plot.order.reserve(tree.points);
  plot.squaredHeight.reserve(tree.points);
  std::vector<PendingStretch> pending;
  if (tree.points > 0)
    pending.push_back({std::uint32_t(tree.nodes() - 1), std::numeric_limits<double>::infinity()});
  std::size_t steps = 0;
  while (!pending.empty()) {
    if (++steps % kStretchesPerLook == 0) {
      if (task.cancelled()) return cancelledError();
      task.report("ordering", double(plot.order.size()) / double(tree.points));
    }
    const PendingStretch next = pending.back();
    pending.pop_back();
    if (tree.isPoint(next.node)) {
      plot.order.push_back(next.node);
      plot.squaredHeight.push_back(next.squaredHeight);
      continue;
    }
    const std::size_t merge = next.node - tree.points;
    std::uint32_t first = tree.left[merge];
    std::uint32_t second = tree.right[merge];
    const auto lowestOf = [&](std::uint32_t node) {
      return tree.isPoint(node) ? node : lowest[node - tree.points];
    };
    if (lowestOf(second) < lowestOf(first)) std::swap(first, second);
    pending.push_back({second, tree.squaredWeights[merge]});
    pending.push_back({first, next.squaredHeight});
  }
  if (task.cancelled()) return cancelledError();
  // Weights ascend: the first above 0 and the last finite one are the ends of the axis.
  const auto begin = tree.squaredWeights.begin();
  const auto finite =
      std::lower_bound(begin, tree.squaredWeights.end(), std::numeric_limits<double>::infinity());
  const auto positive = std::upper_bound(begin, finite, 0.0);
  if (positive != finite) {
    plot.lowestSquared = *positive;
    plot.highestSquared = *(finite - 1);
  }
  return plot;
}

}  // namespace clusterloom
