#pragma once

#include <optional>

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/join/join_input.h"

namespace clusterloom {

/// What the runs of a space (engine/dbscan/backend_in_space.h) join by Euclidean distances.
struct PointsInSpace {
  PointCloud points;                       ///< unit vectors, or the box with its images
  std::optional<PointCloud> queries = {};  ///< of a box: without images
  double eps = 0;                          ///< of unit vectors: the chord

  JoinInput join() const { return queries ? JoinInput(*queries, points) : JoinInput(points); }
};

/// The points of a join of `cloud` with itself, as backendIn makes them; periods are those of the
/// scaled cloud. BadCall for Manhattan and Chebyshev distances, which have no plan, and for
/// ε that the space refuses; BadInput for points that are not of the space; TooLarge, Cancelled.
Result<PointsInSpace> pointsInSpace(const PointCloud& cloud, double eps, const Space& space,
                                    const Task& task);

}  // namespace clusterloom
