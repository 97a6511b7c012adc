#include "engine/cuda/join/device_join.h"

#include <algorithm>
#include <numeric>

#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/join/batch_estimate.h"
#include "engine/join/threads_per_point.h"

namespace clusterloom {
namespace {

constexpr int kStandardStreams = 3;

// Every nth query of an order, of positions from `first` on where there is no list.
__global__ void everyNth(const std::uint32_t* queries, std::uint32_t first, std::uint32_t nth,
                         std::uint32_t* positions, std::uint32_t count) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::uint32_t ticket = std::uint32_t(i) * nth;
  positions[i] = queries == nullptr ? first + ticket : queries[ticket];
}

__global__ void valuesAt(const std::uint32_t* values, const std::uint32_t* positions,
                         std::uint32_t* found, std::uint32_t count) {
  const std::size_t i = threadNumber();
  if (i < count) found[i] = values[positions[i]];
}

// A strided sample of the queries: of the order of a work queue, else of cell order.
DeviceBuffer<std::uint32_t> sampleQueries(GpuRun& run, const DeviceJoin& join) {
  const auto samples = std::uint32_t(sampledQueries(join.grid.queries()));
  DeviceBuffer<std::uint32_t> sample(run.lease(), samples);
  everyNth<<<blocksFor(samples), kBlockSize, 0, run.stream()>>>(
      join.schedule.workQueue ? join.schedule.queries.data() : nullptr, join.grid.firstQuery(),
      kSampledOneIn, sample.data(), samples);
  CUDA_CHECK_LAUNCH();
  return sample;
}

// The hits of each query of a sample itself, by a pattern. Waits.
std::vector<std::uint32_t> foundBy(GpuRun& run, DeviceJoin& join, AccessPattern pattern,
                                   const DeviceBuffer<std::uint32_t>& sample) {
  const GpuPhase phase("estimate pairs");
  const auto samples = std::uint32_t(sample.size());
  JoinView view = join.view;
  view.pattern = pattern;
  DeviceBuffer<std::uint32_t> counts(run.lease(), join.grid.positions());
  counts.fillBytes(0);
  DeviceBuffer<std::uint32_t> own;
  if (isHalf(pattern)) own = DeviceBuffer<std::uint32_t>(run.lease(), join.grid.positions());
  DeviceBuffer<std::uint64_t> spent(run.lease(), kCalculationSlots);
  spent.fillBytes(0);
  QueryRange range = rangeOf(run, join, 0, samples, nullptr);
  range.queries = sample.data();
  range.calculations = spent.data();  // not part of the join's own
  launchJoin(launchOn(run, join, run.stream()), view, range,
             LaneCountSink<CudaLane>{
                 .counts = counts.data(), .found = own.data(), .half = isHalf(pattern)});
  DeviceBuffer<std::uint32_t> found(run.lease(), samples);
  valuesAt<<<blocksFor(samples), kBlockSize, 0, run.stream()>>>(
      own.size() > 0 ? own.data() : counts.data(), sample.data(), found.data(), samples);
  CUDA_CHECK_LAUNCH();
  return run.readAll(found);
}

// A pattern in which every query finds all its neighbours itself: the sum over a sample must not
// depend on which end of a pair was sampled.
AccessPattern wholePattern(AccessPattern pattern) {
  return pattern == AccessPattern::Tile ? pattern : AccessPattern::Full;
}

}  // namespace

void prepareDeviceJoin(GpuRun& run, const JoinInput& input, double eps, const BatchWish& wish,
                       DeviceJoin& join) {
  const JoinPlan& plan = join.plan;
  join.half = isHalf(plan.strategy.pattern);
  join.cloud = pointsOnDevice(run, input);
  if (input.twoClouds) join.queries = uploadCloud(run, input.queries);
  join.grid = buildDeviceGrid(
      run, *join.cloud,
      {.eps = eps, .reach = 1, .dims = plan.dims, .sortWithinCells = plan.sortWithinCells},
      input.twoClouds ? &join.queries : nullptr, plan.metric);
  join.calculations = DeviceBuffer<std::uint64_t>(run.lease(), kCalculationSlots);
  join.calculations.fillBytes(0);
  if (join.grid.queries() == 0) {
    join.view = viewOf(join.grid, plan);
    join.schedule.batchBegin = {0, 0};
    return;
  }
  const bool byWorkload = plan.strategy.order == QueryOrder::SortByWorkload ||
                          plan.strategy.order == QueryOrder::WorkQueue;
  const bool rows = plan.strategy.pattern == AccessPattern::Tile;
  if (!rows || byWorkload) addOccupiedCoordinates(run, join.grid);
  if (rows) addDirectory(run, join.grid);
  if (plan.strategy.precision == Precision::Single) addOffsets(run, join.grid, plan.single);
  join.view = viewOf(join.grid, plan);

  const auto schedule = [&](std::size_t batches) {
    join.schedule = makeDeviceSchedule(run, input.twoClouds ? join.queries : *join.cloud, join.grid,
                                       join.view, plan.strategy.order, batches);
  };
  const std::size_t queries = join.grid.queries();
  const bool workQueue = plan.strategy.order == QueryOrder::WorkQueue;
  std::size_t batches = 1;
  DeviceBuffer<std::uint32_t> sample;
  std::vector<std::uint32_t> found;
  if (wish.pairs > 0) {
    if (workQueue) schedule(1);
    sample = sampleQueries(run, join);
    found = foundBy(run, join, wholePattern(plan.strategy.pattern), sample);
    join.estimatedPairs = estimatedPairs(
        std::accumulate(found.begin(), found.end(), std::uint64_t{0}), found.size(), queries);
    const std::uint64_t size =
        wish.leastBatches > 0 ? batchPairsFor(join.estimatedPairs, wish.pairs, wish.leastBatches)
                              : wish.pairs;
    batches = batchesFor(join.estimatedPairs, size, queries);
  }
  if (wish.queries > 0) batches = std::max(batches, (queries + wish.queries - 1) / wish.queries);
  if (!workQueue || wish.pairs == 0) {
    schedule(batches);
  } else if (batches > 1) {
    if (join.half) found = foundBy(run, join, plan.strategy.pattern, sample);
    const auto begin = equalBatches(found, kSampledOneIn, queries, batches, wish.queries);
    join.schedule.batchBegin.assign(begin.begin(), begin.end());
    batches = join.schedule.batches();
  }
  join.threadsPerPoint =
      threadsPerPointOnGpu(plan.strategy, queries / batches, run.device().residentThreads());
  if (join.schedule.workQueue) join.heads = DeviceBuffer<std::uint32_t>(run.lease(), batches);
  if (batches > 1) {
    const int asked = plan.strategy.streams > 0 ? plan.strategy.streams : kStandardStreams;
    join.streams.resize(std::min<std::size_t>(batches, std::size_t(asked)));
  }
}

QueryRange rangeOf(const GpuRun& run, DeviceJoin& join, std::uint32_t begin, std::uint32_t end,
                   std::uint32_t* head, const Asked& asked) {
  return {.begin = begin,
          .end = end,
          .queries = join.schedule.queries.data(),
          .cellOf = join.grid.cellOf.data(),
          .head = head,
          .only = asked.only,
          .onlyFlag = asked.flag,
          .threadsPerPoint = std::uint32_t(join.threadsPerPoint),
          .stop = run.stop(),
          .calculations = join.calculations.data()};
}

KernelLaunch launchOn(const GpuRun& run, DeviceJoin& join, cudaStream_t stream) {
  const int asked = join.plan.strategy.blockSize;
  return {.stream = stream,
          .blockSize = asked > 0 ? asked : int(kBlockSize),
          .multiprocessors = run.device().multiprocessors(),
          .log = &join.log};
}

void runPass(GpuRun& run, DeviceJoin& join, const Asked& asked,
             const std::function<void(const KernelLaunch&, const QueryRange&)>& launch,
             std::vector<BatchEvents>* timeline) {
  const DeviceSchedule& schedule = join.schedule;
  const auto batches = std::uint32_t(schedule.batches());
  if (schedule.workQueue) join.heads.upload({schedule.batchBegin.data(), batches});
  Event ready;
  ready.record(run.stream());
  for (const Stream& stream : join.streams) CUDA_CHECK(cudaStreamWaitEvent(stream, ready));
  // Where a launch fails, what is running must end before the memory that it uses is freed.
  const struct Settled {
    const std::vector<Stream>& streams;
    ~Settled() {
      for (const Stream& stream : streams) cudaStreamSynchronize(stream);
    }
  } settled{join.streams};
  for (std::uint32_t b = 0; b < batches; ++b) {
    if (run.task().cancelled()) break;  // the wait to come says so
    const std::size_t which = join.streams.empty() ? 0 : b % join.streams.size();
    const cudaStream_t stream =
        join.streams.empty() ? run.stream() : static_cast<cudaStream_t>(join.streams[which]);
    const std::uint32_t begin = schedule.batchBegin[b];
    const std::uint32_t end = schedule.batchBegin[b + 1];
    BatchEvents events{.stream = int(which), .queries = end - begin};
    events.start.record(stream);
    launch(launchOn(run, join, stream),
           rangeOf(run, join, begin, end, schedule.workQueue ? join.heads.data() + b : nullptr,
                   asked));
    events.end.record(stream);
    if (timeline != nullptr) timeline->push_back(std::move(events));
  }
  for (const Stream& stream : join.streams) {
    Event done;
    done.record(stream);
    CUDA_CHECK(cudaStreamWaitEvent(run.stream(), done));
  }
  // A kernel's first launch loads it, and that waits until nothing else runs: the next one's, made
  // now, would delay the reaction to a stop.
  run.wait();
}

std::uint64_t calculationsOf(GpuRun& run, DeviceJoin& join) {
  const auto slots = run.mailbox<std::uint64_t>(kCalculationSlots);
  join.calculations.download(slots);
  run.wait();
  return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
}

void addJoinStats(DeviceJoin& join, const std::vector<BatchEvents>& timeline, RunStats& stats) {
  stats.cells = join.grid.cells;
  stats.batches = join.schedule.batches();
  stats.kernels = join.log.stats();
  for (const BatchEvents& batch : timeline) {
    const double start = millisecondsBetween(timeline.front().start, batch.start) / 1e3;
    const double end = millisecondsBetween(timeline.front().start, batch.end) / 1e3;
    stats.timeline.push_back({.stream = batch.stream,
                              .start = start,
                              .kernelEnd = end,
                              .transferEnd = end,
                              .end = end,
                              .queries = batch.queries});
  }
}

}  // namespace clusterloom
