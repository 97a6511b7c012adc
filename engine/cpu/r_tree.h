#pragma once

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The most dimensions `rTreeCounts` takes, those of the paper's experiments.
inline constexpr std::size_t kRTreeMaxDims = 6;

/// The papers' CPU-RTREE [Gowanlock 2018, §5.2.2], search and refine on one thread: points are
/// sorted into bins of unit length, inserted into an R-tree, and each point queries the box of side
/// 2ε around it; the canonical predicate refines the points in the box. `candidates` counts the
/// points in all boxes. Errors are those of Backend; BadCall beyond kRTreeMaxDims dimensions.
Result<NeighbourCounts> rTreeCounts(const PointCloud& cloud, double eps, const Task& task = {});

}  // namespace clusterloom
