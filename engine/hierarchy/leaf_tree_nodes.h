#pragma once

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/hierarchy/leaf_tree.h"

namespace clusterloom {

// Subtrees of a LeafTree, whose header says how its nodes are numbered.

/// A node, and the leaves below it.
struct TreeNode {
  std::size_t node;
  std::uint32_t firstLeaf;
  std::uint32_t leaves;

  TreeNode left() const { return {node + 1, firstLeaf, (leaves + 1) / 2}; }
  TreeNode right() const {
    const std::uint32_t before = (leaves + 1) / 2;
    return {node + 2 * std::size_t{before}, firstLeaf + before, leaves - before};
  }
  std::size_t firstPlace() const { return std::size_t{firstLeaf} * kLeafSize; }
  std::size_t endPlace(const LeafTree& tree) const {
    return std::min(tree.points, (std::size_t{firstLeaf} + leaves) * kLeafSize);
  }
};

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
  TreeNode at{0, 0, tree.leaves};
  while (at.leaves > 1) at = leaf < at.right().firstLeaf ? at.left() : at.right();
  return at.node;
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
