#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// A point and how far it is from another one, in the unit of ε.
struct NearPoint {
  std::uint32_t point = 0;
  double distance = 0;
  friend bool operator==(const NearPoint&, const NearPoint&) = default;
};

/// The surroundings of one point of a cloud.
struct PointSurroundings {
  std::vector<NearPoint> nearest;  ///< by (distance, number), the point itself left out
  std::uint64_t within = 0;        ///< points within ε, itself included
  double weight = 0;               ///< the sum of their weights
};

/// The `k` nearest points of a point and the number of points within ε of it, in a space: by the
/// distances of runs on clouds that `scaling` has scaled (engine/dbscan/backend_in_space.h).
/// `weights` has one value a point, or none: each counts 1.
///
/// Performance. One comparison with every point, by one thread: about half a second for 100,000
/// points in 768 dimensions.
///
/// Errors. BadCall for a point that does not exist, and for an ε that epsSquared or the space
/// refuses; those of checkSpace; Cancelled.
Result<PointSurroundings> aroundPoint(const PointCloud& cloud, std::size_t point, std::size_t k,
                                      double eps, const Space& space, const Scaling& scaling,
                                      std::span<const double> weights = {}, const Task& task = {});

}  // namespace clusterloom
