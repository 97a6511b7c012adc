#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/cuda/grid/device_grid.h"
#include "engine/cuda/join/kernels/join_kernels.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/join_input.h"
#include "engine/join/join_plan.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// A Schedule in device memory. Tickets number the order.
struct DeviceSchedule {
  DeviceBuffer<std::uint32_t> queries;    ///< position of each ticket; empty: ticket = position
  std::vector<std::uint32_t> batchBegin;  ///< batch b is tickets [batchBegin[b], batchBegin[b + 1])
  bool workQueue = false;                 ///< warps draw tickets from an atomic head

  std::size_t batches() const { return batchBegin.size() - 1; }
};

/// Workload of the query points of each of the grid's cells of queries, as cellWorkloads: the
/// candidates that the view's pattern examines for one of them. One entry a cell and a 0 at the
/// end. Needs M in the view; does not wait.
DeviceBuffer<std::uint32_t> deviceWorkloads(GpuRun& run, const DeviceGrid& grid,
                                            const JoinView& view);

/// The orders of makeSchedule (engine/join/schedule.h), query for query; cell order in one batch
/// goes without a list, but not for two clouds. `cloud` is that of the queries, of which there is
/// at least one. The orders by workload need M in the view. Waits only for the bounds of a second
/// cloud that is put into bins. `batches` ≥ 1.
DeviceSchedule makeDeviceSchedule(GpuRun& run, const DeviceCloud& cloud, const DeviceGrid& grid,
                                  const JoinView& view, QueryOrder order, std::size_t batches);

/// Everything a join over one input and ε needs in device memory, made once and used by several
/// passes. Must not be moved: the view points into the grid. Arrays by position have an entry for
/// each of grid.positions().
struct DeviceJoin {
  const JoinPlan& plan;
  bool half = false;                         ///< the pattern delivers hits in other cells both ways
  std::shared_ptr<const DeviceCloud> cloud;  ///< the indexed one
  DeviceCloud queries;                       ///< the other one of a join of two clouds
  DeviceGrid grid;
  JoinView view;
  DeviceSchedule schedule;
  int threadsPerPoint = 1;                   ///< by threadsPerPointOnGpu
  DeviceBuffer<std::uint32_t> heads;         ///< one per batch, for WORKQUEUE
  DeviceBuffer<std::uint64_t> calculations;  ///< kCalculationSlots sums
  std::vector<Stream> streams;               ///< for batches; none when there is one batch
  KernelLog log;
  double estimatedPairs = 0;  ///< 0 when no estimate was needed

  DeviceJoin(const JoinPlan& joinPlan) : plan(joinPlan) {}
  DeviceJoin(const DeviceJoin&) = delete;
  DeviceJoin& operator=(const DeviceJoin&) = delete;
};

/// Batches of at most `pairs` pairs by the estimate and at most `queries` queries; 0: any number.
/// Where `leastBatches` is not 0, `pairs` is only a limit, and there are at least that many
/// batches, unless they would be very small (batchPairsFor).
struct BatchWish {
  std::uint64_t pairs = 0;
  std::uint64_t queries = 0;
  int leastBatches = 0;
};

/// Uploads what is not there, indexes, estimates and schedules. The estimate is the papers': a
/// strided 1 % of the queries × 1.05 [Gowanlock 2018, §4.1]. batchesFor decides the number of
/// batches; WORKQUEUE's have about equal results by the sample (engine/join/batch_estimate.h).
/// Where no query of a second cloud can have a neighbour, the join has one empty batch, and passes
/// do nothing.
void prepareDeviceJoin(GpuRun& run, const JoinInput& input, double eps, const BatchWish& wish,
                       DeviceJoin& join);

/// The query positions of a pass: those whose flag is `flag`; all when there are no flags.
struct Asked {
  const std::uint8_t* only = nullptr;
  std::uint8_t flag = 1;
};

/// The range of tickets [begin, end) for a launch by this join. With a work queue its head must
/// stand at `begin`.
QueryRange rangeOf(const GpuRun& run, DeviceJoin& join, std::uint32_t begin, std::uint32_t end,
                   std::uint32_t* head, const Asked& asked = {});
KernelLaunch launchOn(const GpuRun& run, DeviceJoin& join, cudaStream_t stream);

/// One pass over all batches, spread over the streams; `launch` queues a batch's
/// kernel. Waits for it. The timeline, if asked for, gets a pair of events per
/// batch.
struct BatchEvents {
  int stream = 0;
  std::uint32_t queries = 0;
  Event start{};
  Event end{};
};
void runPass(GpuRun& run, DeviceJoin& join, const Asked& asked,
             const std::function<void(const KernelLaunch&, const QueryRange&)>& launch,
             std::vector<BatchEvents>* timeline = nullptr);

template <class Sink>
void runPass(GpuRun& run, DeviceJoin& join, const Sink& sink, const Asked& asked = {},
             std::vector<BatchEvents>* timeline = nullptr) {
  runPass(
      run, join, asked,
      [&](const KernelLaunch& launch, const QueryRange& range) {
        launchJoin(launch, join.view, range, sink);
      },
      timeline);
}

/// Distances decided by all passes so far; waits.
std::uint64_t calculationsOf(GpuRun& run, DeviceJoin& join);

/// Adds the figures of finished passes: cells, batches, kernels, timeline.
void addJoinStats(DeviceJoin& join, const std::vector<BatchEvents>& timeline, RunStats& stats);

}  // namespace clusterloom
