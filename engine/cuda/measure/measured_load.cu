#include "engine/cuda/measure/measured_load.h"

#include <algorithm>
#include <numeric>

#include "engine/core/stopwatch.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/join/kernels/measuring_lane.h"
#include "engine/cuda/join/results/device_counts.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/load/warp_sample.h"

namespace clusterloom {
namespace {

constexpr double kRoom = 1.3;  // a batch's buffer over its expected pairs

/// Which records belong to which batch: each draw of 32 / k tickets has one.
struct RecordPlaces {
  std::uint32_t ticketsPerWarp;
  std::vector<std::uint64_t> first;  ///< of each batch, and the end

  RecordPlaces(const DeviceJoin& join) : ticketsPerWarp(32 / std::uint32_t(join.threadsPerPoint)) {
    const std::vector<std::uint32_t>& begin = join.schedule.batchBegin;
    first.push_back(0);
    for (std::size_t b = 0; b + 1 < begin.size(); ++b)
      first.push_back(first.back() +
                      (begin[b + 1] - begin[b] + ticketsPerWarp - 1) / ticketsPerWarp);
  }
};

/// Where the watched kernels write.
struct Results {
  DeviceBuffer<WarpRecord> records;
  DeviceBuffer<std::uint32_t> counts;             ///< counting kernel, by position
  std::vector<DeviceBuffer<std::uint64_t>> keys;  ///< pair-writing kernel, one per stream
  DeviceBuffer<std::uint64_t> found;              ///< its pairs, batch by batch
};

// Queues the watched kernel for a range of batch `batch`.
void launch(const KernelLaunch& where, const DeviceJoin& join, const QueryRange& range,
            std::size_t batch, Results& results) {
  if (results.keys.empty()) {
    launchMeasuredJoin(where, join.view, range,
                       LaneCountSink<CudaLane>{.counts = results.counts.data(), .half = join.half});
    return;
  }
  DeviceBuffer<std::uint64_t>& keys = results.keys[batch % results.keys.size()];
  launchMeasuredJoin(where, join.view, range,
                     LanePairSink<CudaLane>{.pointIds = join.grid.pointIds.data(),
                                            .keys = keys.data(),
                                            .capacity = keys.size(),
                                            .found = results.found.data() + batch});
}

// The kernel's first launch loads it; a few queries do.
void warmUp(GpuRun& run, DeviceJoin& join, Results& results) {
  const std::uint32_t few = std::min<std::uint32_t>(32, join.schedule.batchBegin[1]);
  QueryRange range = rangeOf(run, join, 0, few, nullptr);
  range.records = results.records.data();
  launch(launchOn(run, join, run.stream()), join, range, 0, results);
  run.wait();
  join.log = KernelLog();
}

// One pass over all batches; leaves records, and the pairs of each batch where they are written.
std::vector<BatchEvents> pass(GpuRun& run, DeviceJoin& join, const RecordPlaces& places,
                              Results& results) {
  join.calculations.fillBytes(0);
  results.counts.fillBytes(0);
  results.found.fillBytes(0);
  std::vector<BatchEvents> timeline;
  std::size_t batch = 0;
  runPass(
      run, join, {},
      [&](const KernelLaunch& where, QueryRange range) {
        range.records = results.records.data() + places.first[batch];
        launch(where, join, range, batch, results);
        ++batch;
      },
      &timeline);
  return timeline;
}

std::vector<std::uint32_t> pointsInOrder(GpuRun& run, const DeviceJoin& join) {
  const std::vector<std::uint32_t> pointIds = run.readAll(join.grid.pointIds);
  if (join.schedule.queries.size() == 0) return pointIds;
  std::vector<std::uint32_t> points = run.readAll(join.schedule.queries);
  for (std::uint32_t& position : points) position = pointIds[position];
  return points;
}

std::vector<WarpLoad> warpsOf(const std::vector<WarpRecord>& records, const RecordPlaces& places,
                              const std::vector<std::uint32_t>& batchBegin) {
  std::uint64_t zero = ~std::uint64_t{0};
  for (const WarpRecord& record : records) zero = std::min(zero, record.start);
  std::vector<WarpLoad> warps;
  warps.reserve(records.size());
  for (std::size_t b = 0; b + 1 < batchBegin.size(); ++b) {
    std::uint32_t ticket = batchBegin[b];
    for (std::uint64_t at = places.first[b]; at < places.first[b + 1]; ++at) {
      const WarpRecord& record = records[at];
      WarpLoad warp{.number = std::uint32_t(at),
                    .batch = std::uint32_t(b),
                    .firstTicket = ticket,
                    .tickets = std::min(places.ticketsPerWarp, batchBegin[b + 1] - ticket),
                    .longestLane = record.longestLane,
                    .shortestLane = record.shortestLane,
                    .start = double(record.start - zero) * 1e-9,
                    .end = double(record.end - zero) * 1e-9,
                    .multiprocessor = std::uint32_t(record.multiprocessor),
                    .cycles = record.cycles};
      std::copy_n(record.steps, kLoops, warp.steps.begin());
      std::copy_n(record.laneSteps, kLoops, warp.laneSteps.begin());
      warps.push_back(warp);
      ticket += places.ticketsPerWarp;
    }
  }
  return warps;
}

// Warps of a watched kernel that fit on a multiprocessor at once.
int residentWarps(const RunStats& stats) {
  constexpr int kWarpsOfMultiprocessor = 64;
  for (const KernelStats& kernel : stats.kernels)
    if (kernel.name.starts_with("measured"))
      return std::max(1, int(kernel.occupancy * kWarpsOfMultiprocessor + 0.5));
  return kWarpsOfMultiprocessor;
}

void addUp(LoadReport& report) {
  double busy = 0;
  double first = report.warps.empty() ? 0 : report.warps.front().start;
  double last = first;
  for (const WarpLoad& warp : report.warps) {
    for (int i = 0; i < kLoops; ++i) {
      report.steps[i] += warp.steps[i];
      report.laneSteps[i] += warp.laneSteps[i];
    }
    busy += warp.end - warp.start;
    first = std::min(first, warp.start);
    last = std::max(last, warp.end);
  }
  report.wee = warpExecutionEfficiency(report.steps, report.laneSteps, report.weights);
  report.makespan = last - first;
  report.idealMakespan =
      busy / (double(report.multiprocessors) * double(report.warpsPerMultiprocessor));
}

// Leaves those of a sample, where one is asked for: the warps that the model would look at.
void keepSample(std::vector<WarpLoad>& warps, const LoadRequest& request) {
  if (request.sampleWarps == 0 || request.sampleWarps >= warps.size()) return;
  const std::vector<std::uint32_t> sample =
      sampleWarps(std::uint32_t(warps.size()), std::uint32_t(request.sampleWarps), request.seed);
  for (std::size_t i = 0; i < sample.size(); ++i) warps[i] = warps[sample[i]];
  warps.resize(sample.size());
}

}  // namespace

LoadReport measureLoadOnGpu(GpuRun& run, const PointCloud& cloud, double eps, const JoinPlan& plan,
                            const LoadRequest& request, const LoopWeights& weights) {
  Stopwatch watch;
  LoadReport report;
  report.measured = true;
  report.kernel = request.kernel;
  report.weights = weights;
  GpuPhase phase("index", run.task());
  const bool pairs = request.kernel == LoadKernel::Pairs;
  DeviceJoin join(plan);
  prepareDeviceJoin(run, cloud, eps, {.pairs = plan.strategy.batchPairs}, join);
  run.wait();
  report.stats.seconds.index = watch.lap();

  phase.next("measuring");
  const RecordPlaces places(join);
  const std::size_t batches = join.schedule.batches();
  Results results;
  results.records = DeviceBuffer<WarpRecord>(run.lease(), places.first.back());
  if (pairs) {
    results.found = DeviceBuffer<std::uint64_t>(run.lease(), batches);
    const auto expected = std::uint64_t(join.estimatedPairs / double(batches) * kRoom) + 1024;
    for (std::size_t s = 0; s < std::max<std::size_t>(1, join.streams.size()); ++s)
      results.keys.emplace_back(run.lease(), expected);
  } else {
    results.counts = DeviceBuffer<std::uint32_t>(run.lease(), cloud.size());
  }
  warmUp(run, join, results);
  std::vector<BatchEvents> timeline = pass(run, join, places, results);
  if (pairs) {
    const auto mostPairs = [&] {
      const std::vector<std::uint64_t> found = run.readAll(results.found);
      report.pairs = std::accumulate(found.begin(), found.end(), std::uint64_t{0});
      return *std::max_element(found.begin(), found.end());
    };
    // Pairs beyond a buffer are not written, which is not the same work: run again with larger
    // buffers.
    if (const std::uint64_t most = mostPairs(); most > results.keys.front().size()) {
      for (DeviceBuffer<std::uint64_t>& keys : results.keys)
        keys = DeviceBuffer<std::uint64_t>(run.lease(), most);
      join.log = KernelLog();
      timeline = pass(run, join, places, results);
    }
  }
  if (!pairs) report.pairs = pairsOf(run, results.counts);
  report.distanceCalculations = calculationsOf(run, join);
  report.stats.seconds.join = watch.lap();
  report.candidates = candidatesOfFullPattern(run, join, report.distanceCalculations);
  addJoinStats(join, timeline, report.stats);
  report.stats.distanceCalculations = report.distanceCalculations;

  const std::vector<std::uint32_t>& begin = join.schedule.batchBegin;
  report.pointOfTicket = pointsInOrder(run, join);
  report.batchBegin.assign(begin.begin(), begin.end());
  report.threadsPerPoint = join.threadsPerPoint;
  report.multiprocessors = run.device().multiprocessors();
  report.warpsPerMultiprocessor = residentWarps(report.stats);
  report.warps = warpsOf(run.readAll(results.records), places, begin);
  report.allWarps = report.warps.size();
  addUp(report);
  keepSample(report.warps, request);
  return report;
}

}  // namespace clusterloom
