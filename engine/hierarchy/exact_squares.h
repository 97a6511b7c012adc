#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/join/join_input.h"

namespace clusterloom {

// Nearest neighbours and hierarchies are found by squared distances. Where a square that a result
// needs overflows, or is below the smallest normal number although the points differ, the result
// would be wrong: BadInput, as epsSquared (engine/core/predicate.h) refuses such an ε. Equal points
// are fine, and so are squares that underflow in a cloud wider than 1e-140, where they count as 0.
// `periods` are those of the search.

/// Of nearest neighbours, which findNearest found of the input.
Result<void> checkSquares(const JoinInput& input, const NearestNeighbours& found,
                          const std::vector<double>& periods);

/// Of the merges and core distances of a hierarchy of the cloud.
Result<void> checkSquares(const PointCloud& cloud, const Hierarchy& hierarchy,
                          const std::vector<double>& periods);

/// Of squared distances between points of the cloud, or between groups of them.
Result<void> checkSquares(const PointCloud& cloud, std::span<const double> squared);

/// Of the edges of a spanning tree of the cloud for minPts.
Result<void> checkSquares(const PointCloud& cloud, std::span<const TreeEdge> edges,
                          std::int64_t minPts, const std::vector<double>& periods);

}  // namespace clusterloom
