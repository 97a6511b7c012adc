#include "engine/cuda/join/results/results.h"

#include "engine/core/stopwatch.h"
#include "engine/cuda/grid/point_order.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

// All bits set: the highest label of all, and −1 as a signed one.
constexpr std::uint32_t kNoLabel = ~std::uint32_t{0};

// By position. Labelled points stand for core points, unlabelled ones and the queries behind the
// `points` of the grid for the others.
__global__ void placeLabels(const std::int32_t* given, const std::uint32_t* pointIds,
                            std::size_t points, std::size_t positions, std::uint32_t* labels,
                            std::uint8_t* labelled) {
  const std::size_t p = threadNumber();
  if (p >= positions) return;
  const std::int32_t label = p < points ? given[pointIds[p]] : kNoise;
  labelled[p] = label >= 0;
  labels[p] = label >= 0 ? std::uint32_t(label) : kNoLabel;
}

}  // namespace

LowestLabels lowestLabelsOnGpu(GpuRun& run, const JoinInput& input,
                               std::span<const std::int32_t> labels, double eps,
                               const JoinPlan& plan) {
  static_assert(std::uint32_t(kNoise) == kNoLabel);
  Stopwatch watch;
  LowestLabels result;
  GpuPhase phase("index", run.task());
  DeviceJoin join(plan);
  prepareDeviceJoin(run, input, eps, {.pairs = plan.strategy.batchPairs}, join);
  DeviceBuffer<std::int32_t> given(run.lease(), labels.size());
  given.upload(labels);
  const std::size_t positions = join.grid.positions();
  DeviceBuffer<std::uint32_t> lowest(run.lease(), positions);
  DeviceBuffer<std::uint8_t> labelled(run.lease(), positions);
  placeLabels<<<blocksFor(positions), kBlockSize, 0, run.stream()>>>(
      given.data(), join.grid.pointIds.data(), join.grid.size, positions, lowest.data(),
      labelled.data());
  CUDA_CHECK_LAUNCH();
  run.wait();
  result.stats.seconds.index = watch.lap();

  phase.next("labelling");
  std::vector<BatchEvents> timeline;
  runPass(run, join, LaneBorderSink<CudaLane>{.labels = lowest.data(), .core = labelled.data()}, {},
          &timeline);
  const std::size_t n = input.queries.size();
  DeviceBuffer<std::uint32_t> ofPoint(run.lease(), n);
  ofPoint.fillBytes(0xff);  // of points that are not queries
  toPointOrder(run.lease(), join.grid.queryPoints(), lowest.data() + join.grid.firstQuery(),
               ofPoint.data(), join.grid.queries());
  result.labels.resize(n);
  run.read(ofPoint, std::span(reinterpret_cast<std::uint32_t*>(result.labels.data()), n));
  result.stats.distanceCalculations = calculationsOf(run, join);
  result.stats.seconds.join = watch.lap();
  addJoinStats(join, timeline, result.stats);
  return result;
}

}  // namespace clusterloom
