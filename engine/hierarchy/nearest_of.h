#pragma once

#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// The k nearest points of `cloud` for every point of `queries`, another cloud: rows of min(k,
/// points of the cloud) entries by (squared distance, id); ids are points of `cloud`. Exact, and
/// found as by nearestNeighbours; both clouds lie in the box of `periods`. Errors are those of
/// nearestNeighbours and of validate(JoinInput).
Result<NearestNeighbours> nearestOf(const PointCloud& queries, const PointCloud& cloud, int k,
                                    int threads = 0, const Task& task = {},
                                    const std::vector<double>& periods = {},
                                    Metric metric = Metric::Euclidean);

}  // namespace clusterloom
