#pragma once

#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"

namespace clusterloom {

/// The points of a dendrogram from left to right, so that the points of each node are a run.
struct PositionOrder {
  LargeArray<std::uint32_t> order;      ///< point at each position
  LargeArray<std::uint32_t> positions;  ///< the inverse
  LargeArray<std::uint32_t> begins;     ///< of each merge: its first position
  /// By position: the merge that joins it to the position before, the lowest node that holds both;
  /// the number of merges at position 0. Sets of the points joined by merges below m are the runs
  /// between positions whose split is ≥ m.
  LargeArray<std::uint32_t> splits;
};

/// Incomplete when the task was stopped.
PositionOrder positionsOf(const Dendrogram& tree, const Task& task);

}  // namespace clusterloom
