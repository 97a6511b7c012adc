#pragma once

#include <tbb/parallel_invoke.h>

#include <cstddef>
#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/hierarchy/leaf_tree.h"

namespace clusterloom {

// Recursions over the nodes of a LeafTree, whose header says how they are numbered.

/// Calls visit(node, left child, right child) for the inner nodes below a node, children first.
template <class Visit>
void foldNodes(std::size_t node, std::uint32_t leaves, const Visit& visit) {
  constexpr std::uint32_t kParallel = 1024;
  if (leaves == 1) return;
  const std::uint32_t left = (leaves + 1) / 2;
  const std::size_t right = node + 2 * std::size_t{left};
  if (leaves >= kParallel) {
    tbb::parallel_invoke([&] { foldNodes(node + 1, left, visit); },
                         [&] { foldNodes(right, leaves - left, visit); });
  } else {
    foldNodes(node + 1, left, visit);
    foldNodes(right, leaves - left, visit);
  }
  visit(node, node + 1, right);
}

/// The node of a leaf.
inline std::size_t nodeOfLeaf(const LeafTree& tree, std::uint32_t leaf) {
  std::size_t node = 0;
  std::uint32_t first = 0;
  for (std::uint32_t leaves = tree.leaves; leaves > 1;) {
    const std::uint32_t left = (leaves + 1) / 2;
    const bool isLeft = leaf < first + left;
    node += isLeft ? 1 : 2 * std::size_t{left};
    if (!isLeft) first += left;
    leaves = isLeft ? left : leaves - left;
  }
  return node;
}

/// The node of each leaf.
inline void findLeafNodes(std::size_t node, std::uint32_t firstLeaf, std::uint32_t leaves,
                          LargeArray<std::uint32_t>& nodes) {
  if (leaves == 1) {
    nodes[firstLeaf] = std::uint32_t(node);
    return;
  }
  const std::uint32_t left = (leaves + 1) / 2;
  findLeafNodes(node + 1, firstLeaf, left, nodes);
  findLeafNodes(node + 2 * std::size_t{left}, firstLeaf + left, leaves - left, nodes);
}

}  // namespace clusterloom
