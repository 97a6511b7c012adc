#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/join/distance_bins.h"
#include "engine/join/join_input.h"

namespace clusterloom {

// Joins by trees of points (engine/hierarchy/leaf_tree.h), of any metric but cosine distances.
// The points of a leaf are searched for together: one walk over the tree, which leaves out the
// boxes that are further than ε from the leaf's, takes whole those of which no point can be
// further, and compares the rest point by point. The bounds of leaf_lanes.h on both sides make this
// exact: lengths are monotone in every rounded difference, so that the length of the least
// differences of two boxes is at most, and that of the largest at least, the length of any pair
// (engine/core/metric.h).
//
// All on the caller's TBB arena. Results are by query point. Functions return the points that were
// compared; after a stop the results are incomplete, and the caller looks at the task. They throw
// std::bad_alloc.

/// The inputs of a join.
struct TreeJoin {
  LeafTree points;
  LeafTree others;  ///< the queries of a join of two clouds
  bool twoClouds = false;
  double squaredEps = 0;

  const LeafTree& queries() const { return twoClouds ? others : points; }
};

/// The trees of a valid input. TooLarge, Cancelled.
Result<TreeJoin> prepareTreeJoin(const JoinInput& input, Metric metric, double squaredEps,
                                 const Task& task);

/// Every neighbour is counted.
inline constexpr std::uint32_t kEveryNeighbour = std::numeric_limits<std::uint32_t>::max();

/// The neighbours of each query, or at least `enough` where there are as many. `stage` must be a
/// literal.
std::uint64_t countByTree(const TreeJoin& join, std::string_view stage, std::uint32_t enough,
                          std::span<std::uint32_t> counts, const Task& task);

/// Writes the neighbours of query q to ids[offsets[q] … offsets[q + 1]), in no order.
std::uint64_t fillByTree(const TreeJoin& join, std::span<const std::uint64_t> offsets,
                         std::int32_t* ids, const Task& task);

/// Ordered pairs by bins, added to `counts`.
std::uint64_t binByTree(const TreeJoin& join, const DistanceBins& bins,
                        std::span<std::uint64_t> counts, const Task& task);

/// The lowest label ≥ 0 among the neighbours of each query for which `asks` is not 0 (empty: of
/// each); kNoise where there is none. `given` has one for each of the points; `labels` of other
/// queries stay.
std::uint64_t lowestByTree(const TreeJoin& join, std::span<const std::int32_t> given,
                           std::span<const std::uint8_t> asks, std::span<std::int32_t> labels,
                           const Task& task);

/// The root of each place of the tree, which has the points ids[place], once core points within ε
/// of each other are united; `core` is by point. Adds to `compared`.
LargeArray<std::uint32_t> uniteByTree(const TreeJoin& join, std::span<const std::uint8_t> core,
                                      std::uint64_t& compared, const Task& task);

}  // namespace clusterloom
