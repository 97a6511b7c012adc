#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/hierarchy/place_lists.h"
#include "engine/hierarchy/spanning_tree.h"

namespace clusterloom {

/// From this number of dimensions on, boxes of a kd-tree rule out so few points that products of
/// all pairs are faster, even where clusters are far apart (tests/bench/RESULTS.md).
inline constexpr std::size_t kLeastDimsOfProducts = 16;

/// Lists are longer than core distances need by this many neighbours, which leaves less to search
/// for the tree.
inline constexpr std::int64_t kMoreNeighbours = 3;
/// The neighbours that are found for a minPts of at least 1, which may be larger than any cloud.
inline std::int64_t neighboursFor(std::int64_t minPts) {
  return std::min<std::int64_t>(std::min<std::int64_t>(minPts, kMaxNearest) + kMoreNeighbours,
                                kMaxNearest);
}

/// The spanning tree of a cloud and the intermediate results of its search.
struct CloudTree {
  CloudTree() = default;
  CloudTree(const CloudTree&) = delete;  // the lists of a copy would refer to the original

  LeafTree leaves;            ///< without coordinates and boxes where products are used instead
  NearestNeighbours nearest;  ///< by place; empty where they were given
  PlaceLists lists;           ///< refers to the neighbours, its own or those that were given
  LargeArray<double> core;    ///< squared core distances by point
  SpanningTree tree;
};

/// The input of searchCloudTree.
struct CloudTreeInput {
  const PointCloud& cloud;
  const HierarchyOptions& options;           ///< its threads are those of the caller's arena
  const NearestNeighbours* given = nullptr;  ///< of the points; must outlive the tree
  /// Neighbours to be found where none are given, at least minPts of them; 0: kMoreNeighbours more
  /// than minPts, or 1 where no point is core, since distances do not matter then.
  int k = 0;
};

/// Whether searchCloudTree takes products of rounded coordinates instead of a kd-tree.
bool isSearchedByProducts(const PointCloud& cloud, const HierarchyOptions& options);

/// Searches a valid cloud: by products of rounded coordinates for Euclidean distances in many
/// dimensions, else by a kd-tree. Adds the seconds of its stages. On the caller's TBB arena.
/// Cancelled. Throws std::bad_alloc.
Result<std::unique_ptr<CloudTree>> searchCloudTree(const CloudTreeInput& input,
                                                   HierarchySeconds& seconds, const Task& task);

/// The most bytes that the search allocates besides neighbours and the arrays of a hierarchy.
std::uint64_t cloudTreePeakBytes(const PointCloud& cloud, const HierarchyOptions& options);

/// Squared core distances, by point: the canonical squared distance to the minPts-th point, the
/// point itself being the first; 0 for minPts = 1 and +∞ for minPts above the number of points.
/// Otherwise `nearest` has at least minPts neighbours a point.
LargeArray<double> squaredCoreDistances(const NearestNeighbours& nearest, std::int64_t minPts);

/// The same, by point, from rows of places (nearestPlaces).
LargeArray<double> squaredCoreDistances(const LeafTree& tree, const NearestNeighbours& byPlace,
                                        std::int64_t minPts);

}  // namespace clusterloom
