#include "engine/cpu/prepared_join.h"

#include "engine/core/profiler_range.h"
#include "engine/cpu/methods.h"

namespace clusterloom {

Result<std::unique_ptr<PreparedJoin>> prepareJoin(const JoinInput& input, double eps,
                                                  const JoinPlan& plan, const Task& task) {
  const ProfilerRange profiled("index");
  const PointCloud& cloud = input.points;  // those of the papers' methods are self-joins
  switch (plan.strategy.method) {
    case Method::RTree: return prepareRTreeJoin(cloud, eps, plan, task);
    case Method::Products: return prepareProductJoin(input, eps, plan, task);
    case Method::SuperEgo: return prepareSuperEgoJoin(cloud, eps, plan, task);
    case Method::NewSuperEgo: return prepareNewSuperEgoJoin(cloud, eps, plan, task);
    default: return prepareGridJoin(input, eps, plan, task);
  }
}

}  // namespace clusterloom
