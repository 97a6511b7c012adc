#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// The k nearest points of `cloud` for every point of `queries`, another cloud: rows of min(k,
/// points of the cloud) entries by (squared distance, id); ids are points of `cloud`. Exact as
/// nearestNeighbours, by trees in any number of dimensions. Errors are those of nearestNeighbours
/// and of validate(JoinInput), and BadCall for k above kMaxNearest.
Result<NearestNeighbours> nearestOf(const PointCloud& queries, const PointCloud& cloud, int k,
                                    int threads = 0, const Task& task = {});

}  // namespace clusterloom
