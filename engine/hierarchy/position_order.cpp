#include "engine/hierarchy/position_order.h"

#include "engine/core/parallel_for.h"

namespace clusterloom {

namespace {
constexpr std::size_t kPositionsAhead = 16;
constexpr std::size_t kPositionsPerLook = 1 << 16;  // merges between two looks at the stop token
}  // namespace

PositionOrder positionsOf(const Dendrogram& tree, const Task& task) {
  const std::size_t n = tree.points;
  const std::size_t merges = tree.merges();
  PositionOrder result;
  result.order.resize(n);
  result.positions.resize(n);
  result.begins.resize(merges);
  result.splits.resize(n);
  result.splits[0] = std::uint32_t(merges);
  if (merges == 0) {
    result.order[0] = result.positions[0] = 0;
    return result;
  }
  const auto place = [&](std::uint32_t node, std::uint32_t begin) {
    (tree.isPoint(node) ? result.positions[node] : result.begins[node - n]) = begin;
  };
  result.begins[merges - 1] = 0;
  // Parents before their children.
  for (std::size_t i = merges; i-- > 0;) {
    if (i % kPositionsPerLook == 0 && task.cancelled()) return result;
    if (i >= kPositionsAhead)
      for (const std::uint32_t child :
           {tree.left[i - kPositionsAhead], tree.right[i - kPositionsAhead]})
        __builtin_prefetch(tree.isPoint(child) ? &result.positions[child]
                                               : &result.begins[child - n]);
    const std::uint32_t begin = result.begins[i];
    const std::uint32_t middle = begin + tree.sizeOf(tree.left[i]);
    place(tree.left[i], begin);
    place(tree.right[i], middle);
    result.splits[middle] = std::uint32_t(i);
  }
  parallelFor(n, 65536,
              [&](std::size_t p) { result.order[result.positions[p]] = std::uint32_t(p); });
  return result;
}

}  // namespace clusterloom
