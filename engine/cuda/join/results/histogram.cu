#include "engine/cuda/join/results/results.h"

#include "engine/core/stopwatch.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/runtime/gpu_phase.h"

namespace clusterloom {

DistanceHistogram histogramOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                 const DistanceBins& bins, const JoinPlan& plan) {
  Stopwatch watch;
  DistanceHistogram result;
  result.upper = bins.upper;
  GpuPhase phase("index", run.task());
  DeviceJoin join(plan);
  prepareDeviceJoin(run, input, eps, {.pairs = plan.strategy.batchPairs}, join);
  DeviceBuffer<double> squared(run.lease(), bins.squared.size());
  squared.upload(bins.squared);
  const auto size = std::uint32_t(bins.squared.size());
  DeviceBuffer<std::uint64_t> counts(run.lease(),
                                     std::size_t{LaneHistogramSink<CudaLane>::kCopies} * size);
  counts.fillBytes(0);
  run.wait();
  result.stats.seconds.index = watch.lap();

  phase.next("counting");
  std::vector<BatchEvents> timeline;
  runPass(run, join, histogramSink<CudaLane>(join.view, squared.data(), size, counts.data()), {},
          &timeline);
  std::vector<std::uint64_t> copies(counts.size());
  counts.download(copies);
  run.wait();
  result.pairs = sumOfCopies(copies, size);
  result.stats.distanceCalculations = calculationsOf(run, join);
  result.stats.seconds.join = watch.lap();
  addJoinStats(join, timeline, result.stats);
  return result;
}

}  // namespace clusterloom
