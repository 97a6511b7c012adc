#pragma once

#include <cstdint>
#include <optional>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/plan.h"

namespace clusterloom {

/// Queries whose candidates are counted where a cloud has more.
inline constexpr std::uint64_t kPlanSample = 50'000;

/// The sampled work of all ranks of a join.
struct SampledJoin {
  PlanWorkload workload;
  Strategy strategy;  ///< decided for the whole cloud, so that all parts are indexed alike
  double choice = 0;  ///< seconds in which a self-join of the cloud chooses its strategy
};

/// The candidates of the cloud's queries, or of a uniform selection of up to kPlanSample of them,
/// in the grid that the join of the cloud with itself as two clouds uses by this strategy. Errors:
/// those of a join of two clouds by `backend`.
Result<SampledJoin> sampleJoin(const Backend& backend, const PointCloud& cloud, double eps,
                               const Strategy& strategy, const Task& task);

/// How fast `backend` runs the sampled join of the cloud where each rank indexes 1 / parts of the
/// cloud, and the other costs of such a join: the shortest of three timed joins of a selection of
/// this size with queries of another one. The number of queries grows until the join takes 0.05 s
/// or all are used; on a GPU also until more do not raise its rate and the next step would take
/// seconds. Errors as above.
Result<RankSpeeds> measureSpeeds(const Backend& backend, const PointCloud& cloud, double eps,
                                 const SampledJoin& join, std::uint64_t parts, const Task& task);

/// Seconds in which rank 0 of a ring of `ranks` ranks chooses the strategy. Errors as above.
Result<double> timeRingChoice(const Backend& backend, const PointCloud& cloud, double eps,
                              const Strategy& strategy, std::uint64_t ranks, const Task& task);

/// The shorter of two joins of the cloud by one device, of a backend that deals all query sets to
/// it. nullopt where the backend cannot do this. Cancelled.
Result<std::optional<DealtJoin>> timeDeal(const Backend& dealt, const PointCloud& cloud, double eps,
                                          const Strategy& strategy, const Task& task);

/// The speeds of a GPU that joins the whole cloud with itself in its own way, where that takes a
/// second or two by the speeds of `whole`: the better of two joins, and the time that they take
/// outside the kernels that join. nullopt without a GPU, and where it would take longer. Errors as
/// above.
Result<std::optional<RankSpeeds>> measureOwnWay(const Backend& backend, const PointCloud& cloud,
                                                double eps, const Strategy& strategy,
                                                const PlanWorkload& workload,
                                                const RankSpeeds& whole, const Task& task);

}  // namespace clusterloom
