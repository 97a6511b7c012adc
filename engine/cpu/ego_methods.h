#pragma once

#include <cstdint>
#include <vector>

#include "engine/cpu/prepared_join.h"
#include "engine/ego/ego_index.h"

namespace clusterloom {

/// The method `super-ego` (engine/ego/super_ego.h) [Gallet 2020, §3.2].
Result<std::unique_ptr<PreparedJoin>> prepareSuperEgoJoin(const PointCloud& cloud, double eps,
                                                          const JoinPlan& plan, const Task& task);

/// The mapping from queries in the order of their workload to positions in EGO order [Gallet 2020,
/// §4.1]: all points, those with the most candidates in the grid first, ties in the grid's cell
/// order. Errors: those of planJoin, Cancelled.
Result<std::vector<std::uint32_t>> positionsByWorkload(const PointCloud& cloud, double eps,
                                                       const EgoIndex& index, const Task& task);

/// The method `new-super-ego` (engine/ego/new_super_ego.h) [Gallet 2020, §4.5]. In the order
/// WORKQUEUE queries come by their workload in the grid, heaviest first, as in HEGJoin; else in EGO
/// order.
Result<std::unique_ptr<PreparedJoin>> prepareNewSuperEgoJoin(const PointCloud& cloud, double eps,
                                                             const JoinPlan& plan,
                                                             const Task& task);

}  // namespace clusterloom
