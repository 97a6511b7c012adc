#include "engine/cpu/cpu_join.h"

#include <algorithm>
#include <cmath>

#include "engine/cpu/cpu_sinks.h"
#include "engine/join/batch_estimate.h"

namespace clusterloom {
namespace {

// Ordered pairs of the join, estimated from a strided 1 % of the queries [Gowanlock 2018, §4.1].
// The sampled queries use the full pattern, regardless of the plan's: a half pattern counts at both
// ends, so the sum over all points is the same and the sampled sum must not depend on which end was
// sampled.
Result<double> estimatePairs(const CpuJoin& join, const Task& task) {
  JoinView view = join.view();
  view.pattern = AccessPattern::Full;
  const std::size_t samples = sampledQueries(join.index.size());
  std::vector<std::uint32_t> counts(join.index.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, samples, 16), [&](const auto& range) {
    SerialLane lane;
    CountSink sink(counts, false, ~std::uint32_t{0});
    for (std::size_t s = range.begin(); s < range.end() && !task.cancelled(); ++s) {
      const auto query = static_cast<std::uint32_t>(s * kSampledOneIn);
      queryByCells<0>(lane, view, query, join.cellOf[query], 0, 1, sink);
      sink.finish(query);
    }
  });
  if (task.cancelled()) return cancelledError();
  std::uint64_t found = 0;
  for (std::size_t s = 0; s < samples; ++s) found += counts[s * kSampledOneIn];
  return estimatedPairs(found, samples, join.index.size());
}

}  // namespace

Result<std::unique_ptr<CpuJoin>> prepareCpuJoin(const PointCloud& cloud, double eps,
                                                const JoinPlan& plan, const Task& task) {
  task.report("index", 0);
  Result<GridIndex> index = buildGridIndex(
      cloud, {.eps = eps, .reach = 1, .dims = plan.dims, .sortWithinCells = plan.sortWithinCells},
      task);
  if (!index) return tl::unexpected(index.error());
  auto join = std::make_unique<CpuJoin>(plan, std::move(*index));
  join->half = isHalf(plan.strategy.pattern);
  join->cellOf = join->index.cellOfPosition();
  std::size_t batches = 1;
  if (plan.strategy.batchPairs > 0) {
    const Result<double> pairs = estimatePairs(*join, task);
    if (!pairs) return tl::unexpected(pairs.error());
    const double wanted = std::ceil(*pairs / static_cast<double>(plan.strategy.batchPairs));
    batches =
        static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(join->index.size())));
  }
  std::vector<std::uint64_t> workloads;
  if (isSorted(plan.strategy.order)) workloads = cellWorkloads(join->index, join->view(), task);
  if (task.cancelled()) return cancelledError();
  join->schedule =
      makeSchedule(cloud, join->index, join->cellOf, workloads, plan.strategy.order, batches, task);
  if (task.cancelled()) return cancelledError();
  return join;
}

}  // namespace clusterloom
