#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/k_distance.h"

namespace clusterloom {

/// First parameters for a cloud: a range for the ε slider and an ε for the first view, the knee of
/// the k-distance curve for k = minPts. For clouds of more than 300,000 points the curve is that of
/// a subsample, its distances scaled by density, so that the first view does not wait for a tree
/// over all points; the k-distance plot that follows is exact.
struct Suggestion {
  EpsRange range;
  double eps = 0;
};
Result<Suggestion> suggestEps(const PointCloud& cloud, std::int64_t minPts, const Task& task);

/// The same for a cloud, so scaled, in a space: of euclideanCopy, with a range below epsLimit
/// (engine/dbscan/backend_in_space.h).
Result<Suggestion> suggestEps(const PointCloud& cloud, const Space& space, const Scaling& scaling,
                              std::int64_t minPts, const Task& task);

/// Where minPts is a sum of weights of this mean: the number of neighbours that it stands for, and
/// the minPts that stands for `neighbours`; at least 1. A mean that is ≤ 0 or NaN changes nothing.
std::int64_t neighboursOf(std::int64_t minPts, double meanWeight);
std::int64_t weightedMinPts(std::int64_t neighbours, double meanWeight);

}  // namespace clusterloom
