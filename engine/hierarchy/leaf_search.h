#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/task.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// Where a search writes what it finds for a point p, 2 ≤ k ≤ kMaxNearest and ≤ the number of
/// points.
struct NeighbourRows {
  std::size_t k = 2;  ///< the point itself included
  /// Row p of points × k ids; null: only the last distance is wanted.
  std::uint32_t* ids = nullptr;
  /// Row p of points × k squared distances; with null ids only that to the k-th point, at p.
  double* squaredDistances = nullptr;
  bool byPlace = false;  ///< rows by place, leaf × kLeafSize + lane, instead of by point
};

/// Finds the k nearest points of every point of leaves [begin, end), as nearestNeighbours describes
/// them, on the caller's thread. Returns how often a point was compared with the points of a leaf:
/// the work of a search is about this number × kLeafSize × dimensions. Ends early, with rows
/// missing, when the task is stopped or after more than `mostScans` of them.
std::uint64_t searchLeaves(const LeafTree& tree, const NeighbourRows& rows, std::uint32_t begin,
                           std::uint32_t end, std::uint64_t mostScans, const Task& task);

/// Finds the k nearest points of `tree` for every point of leaves [begin, end) of `queries`,
/// another cloud of the same dimensions: rows have no entry for the point itself, and their ids are
/// given; 1 ≤ k ≤ kMaxNearest and ≤ the points of `tree`. Ends early when the task is stopped.
/// Where `queries` is `tree`, the same as searchLeaves without a limit of work.
void searchLeavesOf(const LeafTree& queries, const LeafTree& tree, const NeighbourRows& rows,
                    std::uint32_t begin, std::uint32_t end, const Task& task);

/// Both searches for any k up to the number of points, without a limit of work: `ids` must be given
/// and rows are by point. With `own` the queries are the points of the tree, and each row begins
/// with the point itself. Slower for few neighbours.
void searchLongLists(const LeafTree& queries, const LeafTree& tree, bool own,
                     const NeighbourRows& rows, std::uint32_t begin, std::uint32_t end,
                     const Task& task);

}  // namespace clusterloom
