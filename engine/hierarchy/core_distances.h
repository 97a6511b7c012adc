#pragma once

#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// Squared core distances, by point: the canonical squared distance to the minPts-th point, the
/// point itself being the first; 0 for minPts = 1 and +∞ for minPts above the number of points.
/// Otherwise `nearest` has at least minPts neighbours a point.
LargeArray<double> squaredCoreDistances(const NearestNeighbours& nearest, std::int64_t minPts);

/// The same, by point, from rows of places (nearestPlaces).
LargeArray<double> squaredCoreDistances(const LeafTree& tree, const NearestNeighbours& byPlace,
                                        std::int64_t minPts);

}  // namespace clusterloom
