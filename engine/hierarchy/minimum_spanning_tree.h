#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

/// A minimum spanning tree of mutual reachability of a cloud: n − 1 edges between points, a < b, by
/// (weight, a, b) ascending. Where weights are equal there are several such trees, and which one is
/// found may depend on the number of threads; the weights do not. A Hierarchy keeps no edges, so
/// this function searches again: it takes about as long as Hierarchy::build. Errors are those of
/// Hierarchy::build.
Result<LargeArray<TreeEdge>> minimumSpanningTree(const PointCloud& cloud,
                                                 const HierarchyOptions& options,
                                                 const Task& task = {});

}  // namespace clusterloom
