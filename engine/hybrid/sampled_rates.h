#pragma once

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hybrid/cpu_side.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// A few thousand points of a cloud, and an ε at which they have about as many neighbours as all
/// points have at the join's own, with the plan of their join. Two clouds are sampled each.
struct RateSample {
  PointCloud points;
  PointCloud queries;  ///< empty for one cloud
  double eps = 0;
  JoinPlan plan;  ///< in 64 bits

  JoinInput input() const {
    return queries.columns.empty() ? JoinInput(points) : JoinInput(queries, points);
  }
};

/// Errors: those of planJoin.
Result<RateSample> sampleJoin(const JoinInput& input, double eps, const Strategy& strategy,
                              SinkKind sink, const BackendLimits& limits, const Task& task);

/// The rate of `threads` threads of the CPU, as in SideRates, by the time that one of them takes
/// for some counts of the sampled join. Takes a few milliseconds.
Result<double> sampledCpuRate(const RateSample& sample, const MakeCpuSide& makeCpuSide, int threads,
                              const Task& task);

/// The work of a join by the grid, as in SideRates: candidates are those points of a sample within
/// 1.5 ε of some queries in every indexed dimension. `dims` are the indexed ones.
double sampledWork(const JoinInput& input, double eps, const std::vector<int>& dims);

}  // namespace clusterloom
