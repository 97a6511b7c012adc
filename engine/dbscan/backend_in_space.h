#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/file_rows.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/join/join_input.h"

namespace clusterloom {

/// BadCall for invalid combinations: two of periods, a sphere and a metric that is not Euclidean,
/// and a scaling of longitude and latitude. `scaling` is that of the run's cloud; periods are in
/// the units before it.
Result<void> checkSpace(const Space& space, Scaling::Kind scaling);

/// Whether runs on a cloud in a space are possible at some ε: the errors of the backend that
/// backendIn gives for a cloud that does not fit the space, and those of checkSpace. `cloud` is
/// scaled by `scaling`. Messages name rows by `rowOf`.
Result<void> checkSpace(const Space& space, const Scaling& scaling, const PointCloud& cloud,
                        const RowOfPoint& rowOf = {});

/// A cloud with nearly the same distances by the space's metric, for estimates: the wrapped points
/// of a box, whose distances across faces are missing, or points of a sphere with chords. Else a
/// copy of the cloud. Errors are those of checkSpace.
Result<PointCloud> flatCopy(const Space& space, const Scaling& scaling, const PointCloud& cloud,
                            const Task& task);

/// The periods of a space in the units of the scaled cloud; none outside of a periodic box.
std::vector<double> scaledPeriods(const Space& space, const Scaling& scaling);

/// The bound that ε must be below, in the units of the scaled cloud: half of the shortest period,
/// half of the circumference, or 2 for cosine distances, beyond which all points are neighbours.
/// Infinite for other metrics.
double epsLimit(const Space& space, const Scaling& scaling);

/// `backend` with the distances of a space, for runs on clouds scaled by `scaling`: unchanged for a
/// Euclidean space, Backend::withMetric for Manhattan and Chebyshev distances, else one of
/// engine/dbscan/space_backends.h. Errors are those of checkSpace and withMetric.
Result<std::shared_ptr<const Backend>> backendIn(const Space& space, const Scaling& scaling,
                                                 std::shared_ptr<const Backend> backend);

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
