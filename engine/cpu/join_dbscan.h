#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// DBSCAN by three passes of a prepared join: counts to core flags, union-find over core pairs, and
/// border points. Any method, pattern and order. Runs on the caller's TBB arena; the plan is for
/// this cloud and ε, minPts ≥ 1.
Result<Clustering> joinDbscan(const PointCloud& cloud, const DbscanParams& params,
                              const JoinPlan& plan, const Task& task);

}  // namespace clusterloom
