#pragma once

#include "engine/cloud/file_rows.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// BadInput unless a cloud of longitudes and latitudes has two dimensions and each latitude lies
/// between the poles. Messages name rows by `rowOf`.
Result<void> checkAngles(const PointCloud& cloud, const Sphere& sphere,
                         const RowOfPoint& rowOf = {});

/// The points of a cloud of longitudes and latitudes as unit vectors in three dimensions. The same
/// bits on every machine, each coordinate within a few units of the last place of 1: about 10⁻¹⁵,
/// or 10 nm on the Earth. Longitudes that differ by a full circle, and any at a pole, give the same
/// vector where the angles are exact (degrees). Errors of checkAngles; Cancelled.
Result<PointCloud> unitVectors(const PointCloud& cloud, const Sphere& sphere, const Task& task);

/// The chord of the unit sphere whose great circle has the length ε: 2 sin(ε / 2R). At half the
/// circumference and beyond it is longer than every chord. BadCall unless ε is positive and finite.
Result<double> chordOf(double eps, const Sphere& sphere);

}  // namespace clusterloom
