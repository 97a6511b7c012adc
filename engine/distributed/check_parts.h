#pragma once

#include <cstdint>
#include <vector>

#include "engine/cloud/file_rows.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

/// The checks of distributedDbscan before it begins: ε, minPts, and that all ranks pass equal
/// parameters and valid parts. Messages name rows by `rowOf`, which knows the points of this part.
Result<void> checkParts(Communicator& communicator, const PointCloud& part,
                        const DbscanParams& params, const Task& task, const RowOfPoint& rowOf = {},
                        Metric metric = Metric::Euclidean);

/// The checks of `validate` for a cloud of which each rank has a part. Names a point by its row, or
/// by its number in the whole cloud where there is no `rowOf`.
Result<void> validateParts(Communicator& communicator, const PointCloud& part, const Task& task,
                           const RowOfPoint& rowOf = {});

/// Number of the first point of each rank's part in the whole cloud, and as last entry the number
/// of all points.
Result<std::vector<std::uint64_t>> firstPointsOfRanks(Communicator& communicator,
                                                      std::uint64_t points, const Task& task);

}  // namespace clusterloom
