#pragma once

#include "engine/cpu/prepared_join.h"

namespace clusterloom {

/// The method `grid`: the lane programs over the cells (engine/cpu/cpu_join.h).
Result<std::unique_ptr<PreparedJoin>> prepareGridJoin(const JoinInput& input, double eps,
                                                      const JoinPlan& plan, const Task& task);

}  // namespace clusterloom
