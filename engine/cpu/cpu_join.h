#pragma once

#include <cstdint>

#include "engine/core/shared_progress.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/grid_queries.h"
#include "engine/join/join_input.h"
#include "engine/join/join_plan.h"
#include "engine/join/join_view.h"
#include "engine/join/lane_program.h"
#include "engine/join/schedule.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace clusterloom {

/// Everything a join over one input and ε needs on the CPU, made once and used by several passes.
/// Arrays by position have an entry for each point of the grid and, in a join of two clouds, behind
/// them one for each query.
struct CpuJoin {
  CpuJoin(const JoinPlan& joinPlan, GridIndex gridIndex, std::optional<GridQueries> gridQueries);
  CpuJoin(const CpuJoin&) = delete;
  CpuJoin& operator=(const CpuJoin&) = delete;

  const JoinPlan& plan;
  GridIndex index;
  std::optional<GridQueries> others;  ///< the queries of a join of two clouds
  QueryCells queries;
  HostJoinView host;
  std::vector<std::uint32_t> cellOf;  ///< cell of each position, as the view numbers them
  Schedule schedule;
  bool half = false;  ///< the pattern delivers hits in other cells both ways

  const JoinView& view() const { return host.view; }
  std::size_t positions() const { return queries.firstQuery + queries.size(); }
  /// The number of a query's cell among those of `queries`.
  std::uint32_t queryCellOf(std::uint32_t query) const { return cellOf[query] - queries.firstCell; }
};

/// Builds the index, the schedule and the batches (as many as an estimate from a 1 % sample × 1.05
/// requires when the strategy names a batch size [Gowanlock 2018, §4.1], else one).
Result<std::unique_ptr<CpuJoin>> prepareCpuJoin(const JoinInput& input, double eps,
                                                const JoinPlan& plan, const Task& task);

/// Hands out the queries of the schedule, batch after batch, on the caller's TBB arena.
/// `makeWorker()` makes a worker for a run of queries (used by one thread): worker(query) returns
/// the distances it decided. Returns the sum of these, or Cancelled.
template <class MakeWorker>
Result<std::uint64_t> runSchedule(const CpuJoin& join, std::string_view stage, const Task& task,
                                  const MakeWorker& makeWorker) {
  constexpr std::size_t kQueriesPerBlock = 64;
  std::atomic<std::uint64_t> calculations = 0;
  SharedProgress progress(task, stage, join.schedule.queries.size());

  const auto runBlock = [&](std::size_t begin, std::size_t end) {
    auto worker = makeWorker();
    std::uint64_t done = 0;
    for (std::size_t i = begin; i < end && !task.cancelled(); ++i)
      done += worker(join.schedule.queries[i]);
    calculations.fetch_add(done, std::memory_order_relaxed);
    progress.add(end - begin);
  };

  for (std::size_t b = 0; b < join.schedule.batches(); ++b) {
    const std::size_t begin = join.schedule.batchBegin[b];
    const std::size_t end = join.schedule.batchBegin[b + 1];
    if (join.schedule.workQueue) {
      // WORKQUEUE [Gallet 2019, §III-D]: threads take tickets of the sorted order from one atomic
      // head.
      std::atomic<std::size_t> head = begin;
      tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
        for (;;) {
          const std::size_t ticket = head.fetch_add(kQueriesPerBlock);
          if (ticket >= end || task.cancelled()) return;
          runBlock(ticket, std::min(end, ticket + kQueriesPerBlock));
        }
      });
    } else {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, kQueriesPerBlock),
                        [&](const auto& range) { runBlock(range.begin(), range.end()); });
    }
    if (task.cancelled()) return cancelledError();
  }
  return calculations.load();
}

/// Runs the lane program for every query for which `wanted(position)` holds. `makeSink()` makes a
/// sink for a run of queries (cheap, used by one thread); a sink has hit(p, q) → "enough" and
/// finish(p) after the last candidate of p. Returns the distances decided, or Cancelled.
template <class MakeSink, class Wanted>
Result<std::uint64_t> runCpuJoin(const CpuJoin& join, std::string_view stage, const Task& task,
                                 const MakeSink& makeSink, const Wanted& wanted) {
  const JoinView& v = join.view();
  const bool tile = v.pattern == AccessPattern::Tile;
  return runSchedule(join, stage, task, [&] {
    return [&, sink = makeSink()](std::uint32_t query) mutable -> std::uint64_t {
      if (!wanted(query)) return 0;
      SerialLane lane;
      const std::uint32_t cell = join.cellOf[query];
      std::uint64_t done = 0;
      withDims(v.dims, [&]<int D>(Dims<D>) {
        done = withReal(v, [&]<class Real>(Real) {
          return tile ? queryByRows<D, Real>(lane, v, query, cell, 0, 1, sink)
                      : queryByCells<D, Real>(lane, v, query, cell, 0, 1, sink);
        });
      });
      sink.finish(query);
      return done;
    };
  });
}

/// For joins over every point.
inline constexpr auto kEveryQuery = [](std::uint32_t) { return true; };

}  // namespace clusterloom
