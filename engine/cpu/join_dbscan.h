#pragma once

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/cpu/prepared_join.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// DBSCAN by three passes of a prepared join: counts to core flags, union-find over core pairs, and
/// border points. Any method, pattern and order. Runs on the caller's TBB arena; the plan is for
/// this cloud and ε, minPts ≥ 1.
Result<Clustering> joinDbscan(const PointCloud& cloud, const DbscanParams& params,
                              const JoinPlan& plan, const Task& task);

/// The same from core flags that are there already, by position of the join, and from sets of core
/// points that are known to belong together. Its stats hold the seconds and distances of the last
/// two passes.
Result<Clustering> labelByJoin(const PreparedJoin& join, const DbscanParams& params,
                               const std::vector<std::uint8_t>& core, UnionFind sets,
                               const Task& task);

}  // namespace clusterloom
