#include "engine/hierarchy/dendrogram.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace clusterloom {

Dendrogram dendrogramOf(std::size_t points, std::span<const TreeEdge> ascendingEdges) {
  Dendrogram tree;
  tree.points = points;
  const std::size_t merges = ascendingEdges.size();
  tree.left.resize(merges);
  tree.right.resize(merges);
  tree.squaredWeights.resize(merges);
  tree.sizes.resize(merges);
  // Disjoint sets of points; `nodeOf` names the node that a root's set is.
  std::vector<std::uint32_t> parent(points);
  std::iota(parent.begin(), parent.end(), 0U);
  std::vector<std::uint32_t> nodeOf = parent;
  const auto rootOf = [&](std::uint32_t p) {
    while (parent[p] != p) p = parent[p] = parent[parent[p]];
    return p;
  };
  for (std::size_t i = 0; i < merges; ++i) {
    const TreeEdge& edge = ascendingEdges[i];
    std::uint32_t a = rootOf(edge.a);
    std::uint32_t b = rootOf(edge.b);
    const auto [low, high] = std::minmax(nodeOf[a], nodeOf[b]);
    tree.left[i] = low;
    tree.right[i] = high;
    tree.squaredWeights[i] = edge.squaredWeight;
    const std::uint32_t sizeOfA = tree.sizeOf(nodeOf[a]);
    const std::uint32_t sizeOfB = tree.sizeOf(nodeOf[b]);
    tree.sizes[i] = sizeOfA + sizeOfB;
    if (sizeOfA < sizeOfB) std::swap(a, b);
    parent[b] = a;  // the smaller set below the larger one
    nodeOf[a] = static_cast<std::uint32_t>(points + i);
  }
  return tree;
}

}  // namespace clusterloom
