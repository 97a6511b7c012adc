#include "engine/cuda/dbscan/lane_dbscan.h"

#include <algorithm>

#include "engine/core/stopwatch.h"
#include "engine/cuda/grid/point_order.h"
#include "engine/cuda/join/device_join.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/dbscan/labelling.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

__global__ void flagCores(const std::uint32_t* counts, std::uint64_t minPts, std::uint8_t* core,
                          std::uint32_t* parent, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  core[p] = counts[p] >= minPts;
  parent[p] = std::uint32_t(p);
}

// Stores each set's lowest core point at its root.
__global__ void findLowest(std::uint32_t* parent, const std::uint8_t* core,
                           const std::uint32_t* pointIds, std::uint32_t* lowest, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p >= n || !core[p]) return;
  CudaLane lane;
  lane.least(lowest + findRoot(lane, parent, std::uint32_t(p)), pointIds[p]);
}

__global__ void markLowest(const std::uint32_t* lowest, std::uint32_t* isLowest, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n && lowest[p] != kNobody) isLowest[lowest[p]] = 1;
}

// Clusters are numbered by their lowest core point: its number is the lowest points before it.
__global__ void labelCores(std::uint32_t* parent, const std::uint8_t* core,
                           const std::uint32_t* lowest, const std::uint32_t* before,
                           std::uint32_t* labels, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  CudaLane lane;
  labels[p] = core[p] ? before[lowest[findRoot(lane, parent, std::uint32_t(p))]] : kNobody;
}

}  // namespace

Clustering laneDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                           const JoinPlan& plan) {
  static_assert(std::uint32_t(kNoise) == kNobody);
  Stopwatch watch;
  Clustering clustering;
  clustering.params = params;
  StageSeconds& seconds = clustering.stats.seconds;
  GpuPhase phase("index", run.task());
  DeviceJoin join(plan);
  prepareDeviceJoin(run, input, params.eps, {.pairs = plan.strategy.batchPairs}, join);
  const std::size_t n = input.points.size();
  const unsigned blocks = blocksFor(n);
  const cudaStream_t stream = run.stream();
  run.wait();
  seconds.index = watch.lap();

  phase.next("core test");
  std::vector<BatchEvents> timeline;
  const auto minPts = std::uint64_t(params.minPts);
  const bool stops = plan.strategy.earlyStop == Toggle::On;
  const auto enough = std::uint32_t(std::min<std::uint64_t>(stops ? minPts : n + 1, n + 1));
  DeviceBuffer<std::uint32_t> counts(run.lease(), n);
  counts.fillBytes(0);
  runPass(run, join,
          LaneCountSink<CudaLane>{.counts = counts.data(), .enough = enough, .half = join.half}, {},
          &timeline);
  DeviceBuffer<std::uint8_t> core(run.lease(), n);
  DeviceBuffer<std::uint32_t> parent(run.lease(), n);
  flagCores<<<blocks, kBlockSize, 0, stream>>>(counts.data(), minPts, core.data(), parent.data(),
                                               n);
  CUDA_CHECK_LAUNCH();
  run.wait();
  // Under a half pattern a pair may be found from its non-core end, so every point is a query.
  phase.next("union");
  runPass(run, join, LaneUnionSink<CudaLane>{.parent = parent.data(), .core = core.data()},
          {.only = join.half ? nullptr : core.data(), .flag = 1}, &timeline);
  run.wait();
  seconds.join = watch.lap();

  phase.next("border points");
  DeviceBuffer<std::uint32_t>& lowest = counts;  // the counts are done with
  lowest.fillBytes(0xff);
  findLowest<<<blocks, kBlockSize, 0, stream>>>(parent.data(), core.data(),
                                                join.grid.pointIds.data(), lowest.data(), n);
  CUDA_CHECK_LAUNCH();
  DeviceBuffer<std::uint32_t> before(run.lease(), n + 1);
  before.fillBytes(0);
  markLowest<<<blocks, kBlockSize, 0, stream>>>(lowest.data(), before.data(), n);
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), before.data(), before.data(), n + 1);
  DeviceBuffer<std::uint32_t> labels(run.lease(), n);
  labelCores<<<blocks, kBlockSize, 0, stream>>>(parent.data(), core.data(), lowest.data(),
                                                before.data(), labels.data(), n);
  CUDA_CHECK_LAUNCH();
  runPass(run, join, LaneBorderSink<CudaLane>{.labels = labels.data(), .core = core.data()},
          {.only = join.half ? nullptr : core.data(), .flag = 0}, &timeline);
  DeviceBuffer<std::uint32_t> labelOfPoint(run.lease(), n);
  DeviceBuffer<std::uint8_t> coreOfPoint(run.lease(), n);
  toPointOrder(run.lease(), join.grid.pointIds.data(), labels.data(), labelOfPoint.data(), n);
  toPointOrder(run.lease(), join.grid.pointIds.data(), core.data(), coreOfPoint.data(), n);
  clustering.labels.resize(n);
  std::vector<std::uint8_t> coreByPoint(n);
  run.wait();  // a copy to plain memory would not react to a stop
  // Noise, all bits set, is −1 as a signed label.
  labelOfPoint.download({reinterpret_cast<std::uint32_t*>(clustering.labels.data()), n});
  coreOfPoint.download(coreByPoint);
  const auto clusters = run.mailbox<std::uint32_t>(1);
  before.download(clusters, n);
  run.wait();
  clustering.clusters = std::int32_t(clusters[0]);
  fillRoles(clustering, coreByPoint);
  clustering.stats.distanceCalculations = calculationsOf(run, join);
  addJoinStats(join, timeline, clustering.stats);
  seconds.label = watch.lap();
  return clustering;
}

}  // namespace clusterloom
