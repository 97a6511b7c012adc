#pragma once

#include <cstdint>
#include <functional>

#include "engine/core/stopwatch.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/place_lists.h"
#include "engine/hierarchy/spanning_tree.h"

namespace clusterloom {

/// What the ways to a hierarchy share.
struct HierarchyBuilder {
  /// From the spanning tree on. `seconds` has the stages before, `total` runs since they began.
  static Result<Hierarchy> finish(std::int64_t minPts, LargeArray<double> squaredCore,
                                  const LeafTree& leaves, const PlaceLists& lists,
                                  SpanningTree tree, HierarchySeconds seconds,
                                  const Stopwatch& total, const Task& task);

  /// Runs `body` on an arena of `threads` threads (0: as many as the machine has). TooLarge where
  /// they cannot be started or memory ends.
  static Result<void> onArena(int threads, const std::function<Result<void>()>& body);
};

}  // namespace clusterloom
