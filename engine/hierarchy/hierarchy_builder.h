#pragma once

#include <cstdint>

#include "engine/core/in_arena.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/early_point.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/place_lists.h"
#include "engine/hierarchy/position_order.h"
#include "engine/hierarchy/spanning_tree.h"

namespace clusterloom {

/// All that a hierarchy keeps, as hierarchy_data.h describes it.
struct HierarchyArrays {
  std::int64_t minPts = 1;
  LargeArray<double> squaredCore;
  Dendrogram dendrogram;
  LargeArray<std::uint32_t> lowestPoints;
  PositionOrder order;
  LargeArray<EarlyPoint> early;
  BorderLists borders;
  LargeArray<double> firstReach;
  HierarchySeconds seconds;
};

/// The steps that all ways to build a hierarchy share.
struct HierarchyBuilder {
  /// Builds the rest from the spanning tree. `seconds` has the stages before it; `total` has run
  /// since they began.
  static Result<Hierarchy> finish(std::int64_t minPts, LargeArray<double> squaredCore,
                                  const LeafTree& leaves, const PlaceLists& lists,
                                  SpanningTree tree, HierarchySeconds seconds,
                                  const Stopwatch& total, const Task& task);

  /// The checks of Hierarchy::build for a cloud and minPts.
  static Result<void> check(const PointCloud& cloud, const HierarchyOptions& options);

  /// Whether minPts needs more neighbours than trees find (nearestPlaces).
  static bool needsLongLists(std::int64_t minPts, std::size_t points);

  /// TooLarge where a hierarchy of `points` points, lists of `k` neighbours and `more` further
  /// bytes do not fit into the free memory.
  static Result<void> checkMemory(std::uint64_t points, std::uint64_t k, std::uint64_t more);

  /// A hierarchy from arrays that were computed elsewhere. On the caller's TBB arena.
  static Hierarchy of(HierarchyArrays arrays);

  /// A copy of all that a hierarchy keeps, for `of`.
  static HierarchyArrays arraysOf(const Hierarchy& hierarchy);

  /// The Result of `body`, which runs on an arena of `threads` threads (inArenaOf).
  template <class Body>
  static auto onArena(int threads, const Body& body) {
    return inArenaOf(
        threads, "Not enough memory for the hierarchy. Use a smaller minPts or a smaller cloud.",
        body);
  }
};

}  // namespace clusterloom
