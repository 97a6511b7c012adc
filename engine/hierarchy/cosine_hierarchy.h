#pragma once

#include <functional>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

// Cosine distances are Euclidean distances of unit vectors. A hierarchy of the vectors has the
// squares w of chords, and DBSCAN joins two vectors at the cosine distance ε when w is at most the
// rounded square of √(2ε). Here w becomes the square of the smallest such ε. The map is monotone,
// so that no order changes; values of w that no ε tells apart become equal. Labels at ε are then
// those of DBSCAN, ties included.

/// BadCall where there are periods: directions are not in a box.
Result<void> checkCosine(const std::vector<double>& periods);

/// fl(ε·ε) of cosineOfChord (engine/cloud/directions.h).
double squaredCosine(double squaredChord);

/// How a hierarchy of unit vectors is built, with options for Euclidean distances.
using ChordHierarchy =
    std::function<Result<Hierarchy>(const PointCloud& vectors, const HierarchyOptions& options)>;

/// The hierarchy of a cloud's cosine distances, from that of its unit vectors. Errors are those of
/// Hierarchy::build, and BadInput for a point at the origin.
Result<Hierarchy> cosineHierarchy(const PointCloud& cloud, const HierarchyOptions& options,
                                  const ChordHierarchy& ofChords, const Task& task);

}  // namespace clusterloom
