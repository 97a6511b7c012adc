#pragma once

#include <cstdint>
#include <span>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/place_lists.h"
#include "engine/hierarchy/spanning_tree.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {

/// The places of rounded points, place i being position i: a tree without coordinates and boxes,
/// because the searches below need only the numbers and ids of its points.
LeafTree placesOf(const RoundedPoints& points);

/// When edges that were found go into the forest. Tests use smaller numbers.
struct ForestLimits {
  std::size_t groupsOfAWave = 16;  ///< of leaves
  std::size_t edgesKept = 0;       ///< in one list; 0: two for each point and 65,536
};

/// The same tree as spanningTree (engine/hierarchy/spanning_tree.h), by products of rounded
/// coordinates, for many dimensions. `places` are those of the rounded points. On the caller's TBB
/// arena. Cost: about one product of 16-bit integers in each dimension for each unordered pair of
/// points, less where leaves or clusters are proven too far apart. Memory: cloudTreePeakBytes.
/// Cancelled. Throws std::bad_alloc.
Result<SpanningTree> spanningTreeByProducts(const RoundedPoints& points, const LeafTree& places,
                                            std::span<const double> squaredCore,
                                            std::int64_t minPts, const PlaceLists& lists,
                                            const Task& task, const ForestLimits& limits = {});

}  // namespace clusterloom
