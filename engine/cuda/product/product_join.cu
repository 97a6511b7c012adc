#include "engine/cuda/product/product_join.h"

#include <algorithm>
#include <numeric>

#include "engine/core/disjoint_sets.h"
#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/cuda/join/results/set_labels.h"
#include "engine/cuda/product/pair_search.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/join/pairs_of_table.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kNoLabel = ~0U;

// What happens to an ordered pair (p, q) of ids.
struct CountPair {
  std::uint32_t* counts;
  __device__ void operator()(std::uint32_t p, std::uint32_t) const { atomicAdd(counts + p, 1U); }
};

struct FillPair {
  const std::uint64_t* offsets;
  std::uint32_t* filled;
  std::uint32_t* ids;
  __device__ void operator()(std::uint32_t p, std::uint32_t q) const {
    ids[offsets[p] + atomicAdd(filled + p, 1U)] = q;
  }
};

struct UnitePair {
  const std::uint8_t* core;
  std::uint32_t* parent;
  __device__ void operator()(std::uint32_t p, std::uint32_t q) const {
    if (p >= q || core[p] == 0 || core[q] == 0) return;
    CudaLane lane;
    unite(lane, parent, p, q);
  }
};

// Core points have their label; the others take the lowest among their neighbours.
struct LabelBorder {
  const std::uint8_t* core;
  std::uint32_t* labels;
  __device__ void operator()(std::uint32_t p, std::uint32_t q) const {
    if (core[p] == 0 && core[q] != 0) atomicMin(labels + p, labels[q]);
  }
};

struct LabelQuery {
  const std::uint32_t* given;
  std::uint32_t* labels;
  __device__ void operator()(std::uint32_t p, std::uint32_t q) const {
    atomicMin(labels + p, given[q]);
  }
};

template <class Act>
__global__ void forEachPair(const uint2* pairs, std::uint64_t count, bool bothWays,
                            const __grid_constant__ Act act) {
  for (std::uint64_t i = threadNumber(); i < count; i += std::uint64_t(gridDim.x) * blockDim.x) {
    const uint2 pair = pairs[i];
    act(pair.x, pair.y);
    if (bothWays && pair.x != pair.y) act(pair.y, pair.x);
  }
}

/// Acts on every ordered pair.
template <class Act>
void forPairs(GpuRun& run, PairSearch& search, std::string_view stage, const Act& act) {
  search.forPairs(stage, [&](const uint2* pairs, std::uint64_t count) {
    constexpr std::uint64_t kMostBlocks = 1 << 16;
    const auto blocks = unsigned(std::clamp<std::uint64_t>(count / kBlockSize, 1, kMostBlocks));
    forEachPair<<<blocks, kBlockSize, 0, run.stream()>>>(pairs, count, search.oneCloud(), act);
    CUDA_CHECK_LAUNCH();
  });
}

DeviceBuffer<std::uint32_t> countsOf(GpuRun& run, PairSearch& search, std::size_t entries) {
  DeviceBuffer<std::uint32_t> counts(run.lease(), entries);
  counts.fillBytes(0);
  forPairs(run, search, "counting neighbours", CountPair{counts.data()});
  return counts;
}

void finishStats(PairSearch& search, RunStats& stats) {
  stats.batches = 1;
  stats.distanceCalculations = search.multiplied();
  stats.kernels = search.log().stats();
  stats.seconds.total = stats.seconds.index + stats.seconds.join + stats.seconds.label;
}

__global__ void startSets(const std::uint32_t* counts, std::uint32_t minPts, std::uint8_t* core,
                          std::uint32_t* parent, std::uint32_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  core[p] = counts[p] >= minPts;
  parent[p] = std::uint32_t(p);
}

// The lowest core point of a set is its root.
__global__ void takeRoots(const std::uint8_t* core, const std::uint32_t* parent,
                          std::uint32_t* labels, std::uint32_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  CudaLane lane;
  labels[p] = core[p] != 0 ? rootOf(lane, parent, std::uint32_t(p)) : kNoLabel;
}

}  // namespace

NeighbourCounts productCountsOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                   double squaredEps) {
  Stopwatch watch;
  NeighbourCounts result;
  PairSearch search(run, input, eps, squaredEps);
  run.wait();
  result.stats.seconds.index = watch.lap();
  const DeviceBuffer<std::uint32_t> counts = countsOf(run, search, input.queries.size());
  result.counts.resize(input.queries.size());
  run.wait();
  counts.download(result.counts);
  run.wait();
  result.pairs = std::accumulate(result.counts.begin(), result.counts.end(), std::uint64_t{0});
  result.candidates = search.candidates();
  result.stats.seconds.join = watch.lap();
  finishStats(search, result.stats);
  return result;
}

Result<NeighbourTable> productTableOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                         double squaredEps, std::uint64_t bytesEach) {
  Stopwatch watch;
  const Lease lease = run.lease();
  const std::size_t n = input.queries.size();
  NeighbourTable table;
  PairSearch search(run, input, eps, squaredEps);
  run.wait();
  table.stats.seconds.index = watch.lap();
  const DeviceBuffer<std::uint32_t> counts = countsOf(run, search, n + 1);
  DeviceBuffer<std::uint64_t> offsets(lease, n + 1);
  exclusiveScan(lease, counts.data(), offsets.data(), n + 1);
  table.offsets.resize(n + 1);
  run.wait();
  offsets.download(table.offsets);
  run.wait();
  const std::uint64_t pairs = table.offsets[n];
  if (auto fits = checkTableFits(pairs, pairs * bytesEach); !fits)
    return tl::unexpected(fits.error());
  if (!resizeAndTouch(table.ids, pairs, "reserving memory", run.task())) throw CudaStopped{};
  DeviceBuffer<std::uint32_t> ids(lease, pairs);
  DeviceBuffer<std::uint32_t> filled(lease, n);
  filled.fillBytes(0);
  forPairs(run, search, "listing neighbours", FillPair{offsets.data(), filled.data(), ids.data()});
  if (pairs > 0) sortRows(lease, ids, pairs, offsets.data(), n);
  run.wait();
  // Ids are below 2³¹ and the same in both types.
  ids.download({reinterpret_cast<std::uint32_t*>(table.ids.data()), pairs});
  run.wait();
  table.candidates = search.candidates();
  table.stats.seconds.join = watch.lap();
  finishStats(search, table.stats);
  return table;
}

Result<PairList> productPairsOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                   double squaredEps) {
  auto table = productTableOnGpu(run, input, eps, squaredEps, sizeof(std::int32_t) + sizeof(Pair));
  if (!table) return tl::unexpected(table.error());
  auto list = pairsOfTable(*table, run.task());
  if (!list) throw CudaStopped{};
  return std::move(*list);
}

LowestLabels productLowestLabelsOnGpu(GpuRun& run, const JoinInput& input,
                                      std::span<const std::int32_t> given, double eps,
                                      double squaredEps) {
  Stopwatch watch;
  LowestLabels result;
  // Negative labels are above all others as unsigned numbers, and all of them mean none.
  std::vector<std::uint32_t> labels(given.size());
  std::transform(given.begin(), given.end(), labels.begin(),
                 [](std::int32_t label) { return label < 0 ? kNoLabel : std::uint32_t(label); });
  DeviceBuffer<std::uint32_t> there(run.lease(), labels.size());
  there.upload(labels);
  PairSearch search(run, input, eps, squaredEps);
  run.wait();
  result.stats.seconds.index = watch.lap();
  DeviceBuffer<std::uint32_t> lowest(run.lease(), input.queries.size());
  lowest.fillBytes(0xff);
  forPairs(run, search, "looking for labels", LabelQuery{there.data(), lowest.data()});
  result.labels.resize(input.queries.size());
  run.wait();
  // All bits set is kNoise as a signed label.
  lowest.download({reinterpret_cast<std::uint32_t*>(result.labels.data()), result.labels.size()});
  run.wait();
  result.stats.seconds.join = watch.lap();
  finishStats(search, result.stats);
  return result;
}

Clustering productDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                              double squaredEps) {
  Stopwatch watch;
  const Lease lease = run.lease();
  Clustering clustering;
  clustering.params = params;
  StageSeconds& seconds = clustering.stats.seconds;
  const auto n = std::uint32_t(input.points.size());
  const unsigned blocks = blocksFor(n);
  PairSearch search(run, input, params.eps, squaredEps);
  run.wait();
  seconds.index = watch.lap();
  const DeviceBuffer<std::uint32_t> counts = countsOf(run, search, n);
  DeviceBuffer<std::uint8_t> core(lease, n);
  DeviceBuffer<std::uint32_t> parent(lease, n);
  const auto minPts =
      std::uint32_t(std::min<std::uint64_t>(std::uint64_t(params.minPts), std::uint64_t(n) + 1));
  startSets<<<blocks, kBlockSize, 0, run.stream()>>>(counts.data(), minPts, core.data(),
                                                     parent.data(), n);
  CUDA_CHECK_LAUNCH();
  forPairs(run, search, "growing clusters", UnitePair{core.data(), parent.data()});
  run.wait();
  seconds.join = watch.lap();

  DeviceBuffer<std::uint32_t> labels(lease, n);
  takeRoots<<<blocks, kBlockSize, 0, run.stream()>>>(core.data(), parent.data(), labels.data(), n);
  CUDA_CHECK_LAUNCH();
  forPairs(run, search, "placing border points", LabelBorder{core.data(), labels.data()});
  run.wait();
  labelBySets(run, core, labels, clustering);
  seconds.label = watch.lap();
  finishStats(search, clustering.stats);
  return clustering;
}

}  // namespace clusterloom
