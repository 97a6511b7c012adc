#pragma once

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

// Brute force in plain loops over all ordered pairs with the canonical predicate: no index, no
// threads, no shortcuts. It is the reference: every backend and strategy must give these results,
// bit for bit. Cost is n² distances. Errors are those of Backend.

/// Neighbours of every point within ε, itself included.
Result<NeighbourCounts> bruteForceCounts(const PointCloud& cloud, double eps,
                                         const Task& task = {});

/// Every ordered pair within ε, self included, sorted by (p, q). TooLarge, after counting, when the
/// list would not fit into the memory that is free.
Result<PairList> bruteForcePairs(const PointCloud& cloud, double eps, const Task& task = {});

/// DBSCAN by its definition: counts, then clusters grown one by one from the lowest core point not
/// yet in one, then each other point to the lowest-numbered cluster among the core points within ε.
Result<Clustering> bruteForceDbscan(const PointCloud& cloud, const DbscanParams& params,
                                    const Task& task = {});

}  // namespace clusterloom
