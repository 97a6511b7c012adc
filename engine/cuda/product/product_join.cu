#include "engine/cuda/product/product_join.h"

#include <algorithm>
#include <numeric>

#include "engine/core/disjoint_sets.h"
#include "engine/core/lower_bound.h"
#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/cuda/join/results/set_labels.h"
#include "engine/cuda/product/nearest_kernels.h"
#include "engine/cuda/product/pair_search.h"
#include "engine/cuda/product/pair_stages.cuh"
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

template <class Act>
PairSearch::Use useOf(GpuRun& run, bool bothWays, const Act& act) {
  return [&run, bothWays, act](const uint2* pairs, std::uint64_t count) {
    constexpr std::uint64_t kMostBlocks = 1 << 16;
    const auto blocks = unsigned(std::clamp<std::uint64_t>(count / kBlockSize, 1, kMostBlocks));
    forEachPair<<<blocks, kBlockSize, 0, run.stream()>>>(pairs, count, bothWays, act);
    CUDA_CHECK_LAUNCH();
  };
}

/// Acts on every ordered pair.
template <class Act>
void forPairs(GpuRun& run, PairSearch& search, std::string_view stage, const Act& act) {
  search.forPairs(stage, useOf(run, search.oneCloud(), act));
}

/// Adds pairs of ids to bins by their exact distances, both ways of one cloud at once.
struct BinPairs {
  static constexpr std::uint32_t kCopies = LaneHistogramSink<CudaLane>::kCopies;

  TileSearch w;
  bool bothWays = true;
  const double* squared = nullptr;  ///< DistanceBins::squared
  std::uint32_t bins = 0;
  std::uint64_t* counts = nullptr;  ///< kCopies rows of `bins`

  CLUSTERLOOM_LANE const TileSearch& work() const { return w; }
  __device__ void exact(const uint2& pair, double square) const {
    const std::uint32_t bin = lowerBound(squared, std::uint32_t{0}, bins - 1, square);
    // Lanes of a warp have different copies, so that they wait for few others.
    CudaLane{}.add(counts + (threadNumber() % kCopies) * bins + bin,
                   std::uint64_t{bothWays && pair.x != pair.y ? 2U : 1U});
  }
};

/// A copy of the coordinates by rows, which are read many times as fast as columns; empty, with
/// `exact` as it is, where it would leave little memory to others.
DeviceBuffer<double> rowsOf(GpuRun& run, RoundedView cloud, std::uint32_t dims, ExactRows& exact) {
  const std::size_t values = std::size_t{cloud.size} * dims;
  if (2 * values * sizeof(double) >= run.device().freeMemory()) return {};
  DeviceBuffer<double> rows(run.lease(), values);
  cloud.pointIds = nullptr;
  launchExactRows(run, cloud, dims, rows.data());
  exact = {.first = rows.data(), .ofPoint = dims, .ofDim = 1};
  return rows;
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

__global__ void startSets(const std::uint32_t* counts, std::uint32_t enough, std::uint8_t* core,
                          std::uint32_t* parent, std::uint32_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  core[p] = counts[p] >= enough;
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

// The groups of PairGroups, by the id of a point. Pairs of two points that have enough neighbours
// need not be counted.
struct GroupByCount {
  const std::uint32_t* counts;
  std::uint32_t enough;
  __device__ std::uint32_t operator()(std::uint32_t p) const {
    return counts[p] >= enough ? 0 : p + 1;
  }
};

// Core points of one set need not be united.
struct GroupBySet {
  const std::uint8_t* core;
  const std::uint32_t* parent;
  __device__ std::uint32_t operator()(std::uint32_t p) const {
    CudaLane lane;
    return core[p] != 0 ? rootOf(lane, parent, p) : PairGroups::kNoPairs;
  }
};

// A border point is one of a core point and another.
struct GroupByCore {
  const std::uint8_t* core;
  __device__ std::uint32_t operator()(std::uint32_t p) const { return core[p]; }
};

// A block groups the points of a tile.
template <class GroupOf>
__global__ void __launch_bounds__(kProductTile)
    groupTile(const std::uint32_t* pointIds, std::uint32_t n, const __grid_constant__ GroupOf of,
              std::uint32_t* ofPoint, std::uint32_t* ofTile) {
  __shared__ std::uint32_t lowest;
  __shared__ std::uint32_t highest;
  if (threadIdx.x == 0) {
    lowest = PairGroups::kNoPairs;
    highest = 0;
  }
  __syncthreads();
  const std::size_t position = threadNumber();
  if (position < n) {
    const std::uint32_t group = of(pointIds[position]);
    ofPoint[position] = group;
    if (group != PairGroups::kNoPairs) {
      atomicMin(&lowest, group);
      atomicMax(&highest, group);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    ofTile[blockIdx.x] =
        lowest == PairGroups::kNoPairs || lowest == highest ? lowest : PairGroups::kSeveral;
}

template <class GroupOf>
PairSearch::Group groupsOf(GpuRun& run, const GroupOf& of) {
  return [&run, of](const RoundedView& points, std::uint32_t* ofPoint, std::uint32_t* ofTile) {
    groupTile<<<blocksFor(points.size, kProductTile), kProductTile, 0, run.stream()>>>(
        points.pointIds, points.size, of, ofPoint, ofTile);
    CUDA_CHECK_LAUNCH();
  };
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
  run.read(counts, std::span(result.counts));
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
  run.read(offsets, std::span(table.offsets));
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
  return pairsOfTable(
      productTableOnGpu(run, input, eps, squaredEps, sizeof(std::int32_t) + sizeof(Pair)),
      run.task());
}

DistanceHistogram productHistogramOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                        double squaredEps, const DistanceBins& bins) {
  Stopwatch watch;
  const Lease lease = run.lease();
  DistanceHistogram result;
  result.upper = bins.upper;
  const auto size = std::uint32_t(bins.squared.size());
  DeviceBuffer<double> squared(lease, size);
  squared.upload(bins.squared);
  DeviceBuffer<std::uint64_t> counts(lease, std::size_t{BinPairs::kCopies} * size);
  counts.fillBytes(0);
  // More than any list has: the capacity is the number of pairs.
  DeviceBuffer<unsigned long long> any(lease, 1);
  any.fillBytes(0xff);
  PairSearch search(run, input, eps, squaredEps);
  BinPairs job{.w = search.byIds(),
               .bothWays = search.oneCloud(),
               .squared = squared.data(),
               .bins = size,
               .counts = counts.data()};
  const auto points = rowsOf(run, job.w.points, job.w.dims, job.w.exactPoints);
  DeviceBuffer<double> queries;
  if (search.oneCloud())
    job.w.exactQueries = job.w.exactPoints;
  else
    queries = rowsOf(run, job.w.queries, job.w.dims, job.w.exactQueries);
  run.wait();
  result.stats.seconds.index = watch.lap();
  search.forPairs("counting", [&](const uint2* pairs, std::uint64_t count) {
    // Kernels read lists and never write to them.
    job.w.close = {const_cast<uint2*>(pairs), count, any.data()};
    pairStages::launchExact(run, job, count, search.log());
  });
  result.pairs = sumOfCopies(run.readAll(counts), size);
  result.stats.seconds.join = watch.lap();
  finishStats(search, result.stats);
  return result;
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
  DeviceBuffer<std::uint8_t> core(lease, n);
  DeviceBuffer<std::uint32_t> parent(lease, n);
  DeviceBuffer<std::uint32_t> labels(lease, n);
  DeviceBuffer<std::uint32_t> counts(lease, n);
  const auto minPts =
      std::uint32_t(std::min<std::uint64_t>(std::uint64_t(params.minPts), std::uint64_t(n) + 1));
  // Where points have so many neighbours that listing all pairs takes long, most pairs are of use
  // neither for the core tests nor for the unions nor for the border points.
  const bool listed = search.listsAll("counting neighbours");
  const auto forPairsOfUse = [&](std::string_view stage, const auto& group, const auto& act) {
    if (listed) return forPairs(run, search, stage, act);
    search.forUsefulPairs(stage, groupsOf(run, group), useOf(run, true, act));
  };
  // A point is its own neighbour. Only the list of all pairs has that pair.
  const std::uint32_t needed = listed ? minPts : minPts - 1;
  counts.fillBytes(0);
  forPairsOfUse("counting neighbours", GroupByCount{counts.data(), needed},
                CountPair{counts.data()});
  startSets<<<blocks, kBlockSize, 0, run.stream()>>>(counts.data(), needed, core.data(),
                                                     parent.data(), n);
  CUDA_CHECK_LAUNCH();
  forPairsOfUse("growing clusters", GroupBySet{core.data(), parent.data()},
                UnitePair{core.data(), parent.data()});
  run.wait();
  seconds.join = watch.lap();

  takeRoots<<<blocks, kBlockSize, 0, run.stream()>>>(core.data(), parent.data(), labels.data(), n);
  CUDA_CHECK_LAUNCH();
  forPairsOfUse("placing border points", GroupByCore{core.data()},
                LabelBorder{core.data(), labels.data()});
  run.wait();
  labelBySets(run, core, labels, clustering);
  seconds.label = watch.lap();
  finishStats(search, clustering.stats);
  return clustering;
}

}  // namespace clusterloom
