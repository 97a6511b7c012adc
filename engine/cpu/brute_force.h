#pragma once

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

// Brute force in plain loops over all ordered pairs with the canonical predicate: no index, no
// threads, no shortcuts. It is the reference: every backend and strategy must give these results,
// bit for bit. Cost is a distance for each pair. Errors are those of Backend. Joins take one cloud
// or two.

/// Neighbours of every query point within ε.
Result<NeighbourCounts> bruteForceCounts(const JoinInput& input, double eps, const Task& task = {});

/// Every ordered pair within ε, sorted by (p, q). TooLarge, after counting, when the list would not
/// fit into the memory that is free.
Result<PairList> bruteForcePairs(const JoinInput& input, double eps, const Task& task = {});

/// The lowest label ≥ 0 within ε of every query point, as Backend::lowestLabels.
Result<LowestLabels> bruteForceLowestLabels(const JoinInput& input,
                                            std::span<const std::int32_t> labels, double eps,
                                            const Task& task = {});

/// DBSCAN by its definition: counts, then clusters grown one by one from the lowest core point not
/// yet in one, then each other point to the lowest-numbered cluster among the core points within ε.
Result<Clustering> bruteForceDbscan(const PointCloud& cloud, const DbscanParams& params,
                                    const Task& task = {});

}  // namespace clusterloom
