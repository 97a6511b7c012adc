#pragma once

#include <vector>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// REORDER [Gowanlock 2019, §4.2]: the dimensions by descending variance, estimated from a strided
/// sample of 1 %, at least 1,000 (or all) and at most 4,000 points. Ties keep the cloud's order, so
/// the result is deterministic.
std::vector<int> dimensionsByVariance(const PointCloud& cloud);

/// The cloud's own order: 0, 1, …, n − 1.
std::vector<int> dimensionsInCloudOrder(const PointCloud& cloud);

/// The mean of |a − b| over 2,000 random pairs of points, by dimension.
std::vector<double> meanSteps(const PointCloud& cloud);

/// The order of the dimensions [Gallet 2020, §3.2.1]: by mean step, descending.
std::vector<int> dimensionsByMeanStep(const PointCloud& cloud);

}  // namespace clusterloom
