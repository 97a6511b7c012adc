#pragma once

#include "engine/cpu/prepared_join.h"

namespace clusterloom {

/// The method `super-ego` (engine/ego/super_ego.h) [Gallet 2020, §3.2].
Result<std::unique_ptr<PreparedJoin>> prepareSuperEgoJoin(const PointCloud& cloud, double eps,
                                                          const JoinPlan& plan, const Task& task);

/// The method `new-super-ego` (engine/ego/new_super_ego.h) [Gallet 2020, §4.5].
Result<std::unique_ptr<PreparedJoin>> prepareNewSuperEgoJoin(const PointCloud& cloud, double eps,
                                                             const JoinPlan& plan,
                                                             const Task& task);

}  // namespace clusterloom
