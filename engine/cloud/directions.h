#pragma once

#include "engine/cloud/file_rows.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The points of a cloud divided by their lengths, for cosine distances: 1 − cos of the angle
/// between two points is half of the squared distance of their unit vectors. Lengths may overflow
/// or underflow when squared. BadInput for a point at the origin, which has no direction; the
/// message names its row by `rowOf`. Cancelled.
Result<PointCloud> directions(const PointCloud& cloud, const Task& task,
                              const RowOfPoint& rowOf = {});

/// More than the distance of any two unit vectors, which rounding may make longer than 2.
inline constexpr double kBeyondAllChords = 2.0000001;

/// The distance of unit vectors whose cosine distance is ε: √(2ε), and more than all distances from
/// ε = 2 on, which no cosine distance exceeds. BadCall unless ε is positive and finite.
Result<double> chordOfCosine(double eps);

/// The angle in degrees, 0 to 180, whose cosine distance is ε: 1 − cos of it; 180 from ε = 2 on.
double angleOfCosine(double eps);

/// The smallest ε whose chord, squared and rounded, is ≥ `squaredChord`: the first cosine distance
/// at which a run joins two points whose unit vectors have this canonical squared distance. It is
/// half of `squaredChord` up to a few units in the last place, and at most 2. 0 and infinity are
/// returned unchanged.
double cosineOfChord(double squaredChord);

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
