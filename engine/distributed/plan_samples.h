#pragma once

#include <cstdint>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/plan.h"

namespace clusterloom {

/// Queries whose candidates are counted where a cloud has more.
inline constexpr std::uint64_t kPlanSample = 50'000;

/// What all ranks of a join do.
struct SampledJoin {
  PlanWorkload workload;
  Strategy strategy;  ///< decided for the whole cloud, so that all parts are indexed alike
};

/// The candidates of the cloud's queries, or of a uniform selection of up to kPlanSample of them,
/// in the grid that the join of the cloud with itself as two clouds uses by this strategy. Errors:
/// those of a join of two clouds by `backend`.
Result<SampledJoin> sampleJoin(const Backend& backend, const PointCloud& cloud, double eps,
                               const Strategy& strategy, const Task& task);

/// How fast `backend` runs the sampled join of the cloud where each rank indexes 1 / parts of the
/// cloud: the best of three timed joins of so large a selection with queries of another one, of so
/// many queries that the join takes 0.05 s, or all of them. Errors as above.
Result<RankSpeeds> measureSpeeds(const Backend& backend, const PointCloud& cloud, double eps,
                                 const SampledJoin& join, std::uint64_t parts, const Task& task);

}  // namespace clusterloom
