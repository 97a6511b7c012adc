#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/dbscan/statistics.h"

namespace clusterloom {

/// Statistics in the units of `cloud`. The clustering may lack roles. Cancelled when stopped.
Result<ClusteringStatistics> statisticsOf(const PointCloud& cloud, const Clustering& clustering,
                                          const Task& task = {});

}  // namespace clusterloom
