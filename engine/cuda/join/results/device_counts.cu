#include "engine/cuda/join/results/device_counts.h"

#include "engine/core/stopwatch.h"
#include "engine/cuda/grid/point_order.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

__global__ void candidatesOfCells(const std::uint32_t* workload, const std::uint32_t* cellStart,
                                  std::uint64_t* candidates, std::uint32_t cells) {
  const std::size_t c = threadNumber();
  if (c < cells) candidates[c] = std::uint64_t(workload[c]) * (cellStart[c + 1] - cellStart[c]);
}

DeviceCounts zeroCounts(GpuRun& run, const DeviceJoin& join) {
  const std::size_t n = join.grid.positions();
  DeviceCounts result{DeviceBuffer<std::uint32_t>(run.lease(), n), {}};
  result.counts.fillBytes(0);
  if (join.half) result.found = DeviceBuffer<std::uint32_t>(run.lease(), n);
  return result;
}

LaneCountSink<CudaLane> sinkInto(DeviceCounts& counts, const DeviceJoin& join) {
  return {.counts = counts.counts.data(), .found = counts.found.data(), .half = join.half};
}

}  // namespace

DeviceCounts countNeighbours(GpuRun& run, DeviceJoin& join, std::vector<BatchEvents>& timeline) {
  DeviceCounts result = zeroCounts(run, join);
  runPass(run, join, sinkInto(result, join), {}, &timeline);
  return result;
}

DeviceCounts countInCellOrder(GpuRun& run, DeviceJoin& join) {
  DeviceCounts result = zeroCounts(run, join);
  QueryRange range = rangeOf(run, join, 0, std::uint32_t(join.grid.queries()), nullptr);
  // The list of a second cloud's queries is a permutation too.
  if (!join.grid.twoClouds) range.queries = nullptr;
  range.threadsPerPoint = std::uint32_t(join.plan.strategy.threadsPerPoint);
  launchJoin(launchOn(run, join, run.stream()), join.view, range, sinkInto(result, join));
  return result;
}

std::uint64_t candidatesOfFullPattern(GpuRun& run, DeviceJoin& join,
                                      std::optional<std::uint64_t> calculations) {
  if (calculations && !join.half && join.view.sortedBy < 0) return *calculations;
  if (join.grid.queries() == 0) return 0;
  if (join.grid.occupied.empty()) addOccupiedCoordinates(run, join.grid);
  JoinView view = viewOf(join.grid, join.plan);
  view.pattern = AccessPattern::Full;
  const DeviceBuffer<std::uint32_t> workload = deviceWorkloads(run, join.grid, view);
  const std::uint32_t cells = join.grid.queryCells();
  DeviceBuffer<std::uint64_t> candidates(run.lease(), cells);
  candidatesOfCells<<<blocksFor(cells), kBlockSize, 0, run.stream()>>>(
      workload.data(), join.grid.queryStart(), candidates.data(), cells);
  CUDA_CHECK_LAUNCH();
  DeviceBuffer<std::uint64_t> total(run.lease(), 1);
  sum(run.lease(), candidates.data(), total.data(), cells);
  return run.read(total);
}

std::uint64_t pairsOf(GpuRun& run, const DeviceBuffer<std::uint32_t>& counts) {
  DeviceBuffer<std::uint64_t> total(run.lease(), 1);
  sum(run.lease(), counts.data(), total.data(), counts.size());
  return run.read(total);
}

NeighbourCounts countOnGpu(GpuRun& run, const JoinInput& input, double eps, const JoinPlan& plan) {
  Stopwatch watch;
  NeighbourCounts result;
  GpuPhase phase("index", run.task());
  DeviceJoin join(plan);
  prepareDeviceJoin(run, input, eps, {.pairs = plan.strategy.batchPairs}, join);
  run.wait();
  result.stats.seconds.index = watch.lap();

  phase.next("counting");
  const std::size_t n = input.queries.size();
  std::vector<BatchEvents> timeline;
  const DeviceCounts found = countNeighbours(run, join, timeline);
  DeviceBuffer<std::uint32_t> countOfPoint(run.lease(), n);
  countOfPoint.fillBytes(0);  // of points that are not queries
  toPointOrder(run.lease(), join.grid.queryPoints(), found.counts.data() + join.grid.firstQuery(),
               countOfPoint.data(), join.grid.queries());
  result.pairs = pairsOf(run, found.counts);
  result.counts.resize(n);
  run.read(countOfPoint, std::span(result.counts));
  result.stats.distanceCalculations = calculationsOf(run, join);
  result.stats.seconds.join = watch.lap();
  result.candidates = candidatesOfFullPattern(run, join, result.stats.distanceCalculations);
  addJoinStats(join, timeline, result.stats);
  return result;
}

}  // namespace clusterloom
