#pragma once

#include <span>

#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/place_lists.h"

namespace clusterloom {

/// A minimum spanning tree of mutual reachability: n − 1 edges in no particular order. The weight
/// of an edge (p, q) is max(core(p), core(q), d²(p, q)). Where weights are equal there are several
/// such trees, and which one is found may depend on the number of threads; the multiset of its
/// weights, and the sets that its edges up to any weight connect, do not (dendrogram.h makes one
/// dendrogram of all of them).
struct SpanningTree {
  LargeArray<TreeEdge> edges;  ///< between places
  LargeArray<double> core;     ///< squared core distance of each place; +∞ without a point
  /// The valley of each place: places of one valley are joined by edges up to the larger of their
  /// core distances, all of them downhill (spanning_tree.cpp).
  LargeArray<std::uint32_t> valley;
};

/// Builds the tree on the caller's TBB arena, by Borůvka's algorithm with single-tree searches as
/// in [Prokopenko 2022], leaf by leaf. `squaredCore` are the squared core distances for minPts,
/// by point, and `lists` have the neighbours from which they were taken, at least minPts of them
/// with the point itself, or all points. Cancelled. Throws std::bad_alloc.
Result<SpanningTree> spanningTree(const LeafTree& tree, std::span<const double> squaredCore,
                                  std::int64_t minPts, const PlaceLists& lists, const Task& task);

/// Begins the tree: the core distances, the valleys, and those edges alone that join places of one
/// valley, which the lists prove. The other edges are missing.
Result<SpanningTree> valleysOf(const LeafTree& tree, std::span<const double> squaredCore,
                               std::int64_t minPts, const PlaceLists& lists, const Task& task);

/// The whole tree among the edges of the lists and `further` edges alone, whose weight is their
/// squared distance; an edge that only one of its places lists must be among them. No search.
Result<SpanningTree> sparseSpanningTree(const LeafTree& tree, std::span<const double> squaredCore,
                                        std::int64_t minPts, const PlaceLists& lists,
                                        std::span<const TreeEdge> further, const Task& task);

}  // namespace clusterloom
