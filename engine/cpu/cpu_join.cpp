#include "engine/cpu/cpu_join.h"

#include <algorithm>
#include <cmath>

#include "engine/core/parallel_for.h"
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
  const std::size_t n = join.queries.size();
  if (n == 0) return 0.0;
  const std::size_t samples = sampledQueries(n);
  const auto sampled = [&](std::size_t s) {
    return join.queries.firstQuery + std::uint32_t(s * kSampledOneIn);
  };
  std::vector<std::uint32_t> counts(join.positions());
  parallelForBlocks(samples, 16, [&](std::size_t begin, std::size_t end) {
    SerialLane lane;
    CountSink sink(counts, false, ~std::uint32_t{0});
    for (std::size_t s = begin; s < end && !task.cancelled(); ++s) {
      const std::uint32_t query = sampled(s);
      queryByCells<0>(lane, view, query, join.cellOf[query], 0, 1, sink);
      sink.finish(query);
    }
  });
  if (task.cancelled()) return cancelledError();
  std::uint64_t found = 0;
  for (std::size_t s = 0; s < samples; ++s) found += counts[sampled(s)];
  return estimatedPairs(found, samples, n);
}

// Cell of each position. Those of queries of another cloud follow the grid's.
std::vector<std::uint32_t> cellsOfPositions(const GridIndex& index, const QueryCells& queries) {
  std::vector<std::uint32_t> cellOf = index.cellOfPosition();
  if (queries.firstQuery == 0) return cellOf;
  cellOf.resize(queries.firstQuery + queries.size());
  parallelFor(queries.cells(), 1024, [&](std::size_t c) {
    std::fill(cellOf.begin() + queries.start[c], cellOf.begin() + queries.start[c + 1],
              queries.firstCell + std::uint32_t(c));
  });
  return cellOf;
}

}  // namespace

CpuJoin::CpuJoin(const JoinPlan& joinPlan, GridIndex gridIndex,
                 std::optional<GridQueries> gridQueries)
    : plan(joinPlan),
      index(std::move(gridIndex)),
      others(std::move(gridQueries)),
      queries(others ? queryCells(index, *others) : ownQueries(index)),
      host(index, plan, others ? &*others : nullptr),
      cellOf(cellsOfPositions(index, queries)),
      half(isHalf(plan.strategy.pattern)) {}

Result<std::unique_ptr<CpuJoin>> prepareCpuJoin(const JoinInput& input, double eps,
                                                const JoinPlan& plan, const Task& task) {
  task.report("index", 0);
  Result<GridIndex> index = buildGridIndex(
      input.points,
      {.eps = eps, .reach = 1, .dims = plan.dims, .sortWithinCells = plan.sortWithinCells}, task);
  if (!index) return tl::unexpected(index.error());
  std::optional<GridQueries> others;
  if (input.twoClouds) {
    auto added = addQueries(input.queries, boundsOf(input.points), plan.squaredEps, *index, task);
    if (!added) return tl::unexpected(added.error());
    others = std::move(*added);
  }
  auto join = std::make_unique<CpuJoin>(plan, std::move(*index), std::move(others));
  std::size_t batches = 1;
  if (plan.strategy.batchPairs > 0) {
    const Result<double> pairs = estimatePairs(*join, task);
    if (!pairs) return tl::unexpected(pairs.error());
    const double wanted = std::ceil(*pairs / double(plan.strategy.batchPairs));
    const auto most = double(std::max<std::size_t>(1, join->queries.size()));
    batches = std::size_t(std::clamp(wanted, 1.0, most));
  }
  std::vector<std::uint64_t> workloads;
  if (isSorted(plan.strategy.order))
    workloads = cellWorkloads(join->index, join->queries.ids, plan.strategy.pattern, task);
  if (task.cancelled()) return cancelledError();
  join->schedule = makeSchedule(input.queries, join->queries, plan.dims, workloads,
                                plan.strategy.order, batches, task);
  if (task.cancelled()) return cancelledError();
  return join;
}

}  // namespace clusterloom
