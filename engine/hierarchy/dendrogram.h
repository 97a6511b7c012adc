#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/large_array.h"
#include "engine/core/task.h"

namespace clusterloom {

/// An edge of a spanning tree of mutual reachability. Its weight is squared: the largest of the
/// squared core distances of both points and their canonical squared distance; +∞ where a core
/// distance is.
struct TreeEdge {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double squaredWeight = 0;
};

/// The single-linkage tree: the n − 1 merges of n points in ascending order of weight, as SciPy's
/// linkage matrix lists them. Nodes 0 … n − 1 are the points, node n + i is what merge i makes, and
/// node 2n − 2 holds all points. Children come before their parents.
struct Dendrogram {
  std::size_t points = 0;
  LargeArray<std::uint32_t> left;     ///< n − 1 nodes
  LargeArray<std::uint32_t> right;    ///< n − 1 nodes
  LargeArray<double> squaredWeights;  ///< n − 1, ascending
  LargeArray<std::uint32_t> sizes;    ///< n − 1: points below node n + i

  std::size_t merges() const { return left.size(); }
  std::size_t nodes() const { return points + merges(); }
  bool isPoint(std::size_t node) const { return node < points; }
  std::uint32_t sizeOf(std::size_t node) const { return isPoint(node) ? 1 : sizes[node - points]; }
};

/// The dendrogram of a minimum spanning tree of `points` points: points − 1 edges in ascending
/// order of weight. Of two nodes that merge, the one with the lower number is on the left. Nodes
/// that merge at one weight merge in the order of their lowest points: the dendrogram is the same
/// for every minimum spanning tree of the same distances.
Dendrogram dendrogramOf(std::size_t points, std::span<const TreeEdge> ascendingEdges);

/// The same with the lowest point of each merge, for edges between places: `ids` names the point at
/// each place. Returns false when stopped.
bool buildDendrogram(std::span<const TreeEdge> ascendingEdges, std::span<const std::uint32_t> ids,
                     Dendrogram& dendrogram, LargeArray<std::uint32_t>& lowestPoints,
                     const Task& task);

}  // namespace clusterloom
