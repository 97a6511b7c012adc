#pragma once

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The most dimensions `rTreeCounts` takes, those of the paper's experiments.
inline constexpr std::size_t kRTreeMaxDims = 6;

/// The papers' CPU-RTREE [Gowanlock 2018, §5.2.2], search and refine on one thread: points are
/// sorted into bins of unit length, inserted into an R-tree, and each point asks for the box of
/// side 2ε around it; the canonical predicate refines what the box holds. `candidates` counts what
/// the boxes held. Errors are those of Backend; BadCall beyond kRTreeMaxDims dimensions.
Result<NeighbourCounts> rTreeCounts(const PointCloud& cloud, double eps, const Task& task = {});

}  // namespace clusterloom
