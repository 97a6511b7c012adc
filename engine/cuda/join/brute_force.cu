#include "engine/cuda/join/brute_force.h"

#include <algorithm>
#include <numeric>

#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/cuda/join/kernels/all_pairs_kernel.cuh"
#include "engine/cuda/join/results/set_labels.h"
#include "engine/join/pairs_of_table.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kNoLabel = ~0U;
constexpr CandidateAccess kAccess = CandidateAccess::SharedTiles;
/// Most device memory for one batch of rows of a table.
constexpr std::uint64_t kBatchBytes = 4ULL << 30;

void finishStats(AllPairsRun& join, RunStats& stats) {
  stats.distanceCalculations = calculationsOf(join);
  stats.kernels = join.log.stats();
  stats.seconds.total = stats.seconds.join + stats.seconds.label;
}

struct CoreLabelWork {
  const std::uint8_t* core;
  std::uint32_t* labels;
  std::uint32_t* changed;
  __device__ bool wanted(std::uint32_t p) const { return core[p] != 0; }
  __device__ LowestLabel start(std::uint32_t) const { return {core, labels}; }
  __device__ void finish(std::uint32_t p, const LowestLabel& found) const {
    CudaLane lane;
    takeLowest(lane, p, found.lowest, labels, changed);
  }
};

// Labels of core points do not change; the other points take the lowest among their neighbours.
struct BorderLabelWork {
  const std::uint8_t* core;
  std::uint32_t* labels;
  __device__ bool wanted(std::uint32_t p) const { return core[p] == 0; }
  __device__ LowestLabel start(std::uint32_t p) const { return {core, labels, labels[p]}; }
  __device__ void finish(std::uint32_t p, const LowestLabel& found) const {
    labels[p] = found.lowest;
  }
};

__global__ void startLabels(const std::uint32_t* counts, std::uint32_t minPts, std::uint8_t* core,
                            std::uint32_t* labels, std::uint32_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  core[p] = counts[p] >= minPts;
  labels[p] = core[p] != 0 ? std::uint32_t(p) : kNoLabel;
}

__global__ void shortenChains(const std::uint8_t* core, std::uint32_t* labels, std::uint32_t n) {
  CudaLane lane;
  const std::size_t p = threadNumber();
  if (p < n && core[p] != 0) shortenChain(lane, std::uint32_t(p), labels);
}

/// First rows of the batches of a table, and n: each batch takes at most `most` ids, but one row.
std::vector<std::uint32_t> batchesOf(const std::vector<std::uint64_t>& offsets,
                                     std::uint64_t most) {
  const auto n = std::uint32_t(offsets.size() - 1);
  std::vector<std::uint32_t> begin{0};
  while (begin.back() < n) {
    const auto last = std::upper_bound(offsets.begin() + begin.back(), offsets.end(),
                                       offsets[begin.back()] + most);
    const auto end = std::uint32_t(last - offsets.begin() - 1);
    begin.push_back(std::max(end, begin.back() + 1));
  }
  return begin;
}

/// `bytesEach`: host memory that the caller will need for a pair.
Result<NeighbourTable> tableOf(GpuRun& run, const JoinInput& input, double squaredEps,
                               std::uint64_t bytesEach) {
  Stopwatch watch;
  const std::size_t n = input.queries.size();
  AllPairsRun join(run, input, squaredEps, kAccess, kBlockSize);
  const std::uint32_t query = join.queries.begin;
  DeviceBuffer<std::uint32_t> counts(run.lease(), join.all.size + std::size_t{1});
  counts.fillBytes(0);
  countNeighbours(join, counts.data());
  const DeviceBuffer<std::uint64_t> firstEdge = rowOffsets(join, counts);
  NeighbourTable table;
  std::vector<std::uint64_t>& offsets = table.offsets;
  offsets.resize(n + 1);
  firstEdge.download(offsets, query);
  run.wait();
  table.candidates = std::uint64_t(n) * input.points.size();
  const std::uint64_t counted = calculationsOf(join);
  const double counting = watch.lap();
  if (auto fits = checkTableFits(offsets[n], offsets[n] * bytesEach); !fits)
    return tl::unexpected(fits.error());
  if (!resizeAndTouch(table.ids, offsets[n], "reserving memory", run.task())) throw CudaStopped{};

  const std::uint64_t room = std::min(kBatchBytes, run.device().freeMemory() / 2);
  const std::vector<std::uint32_t> batches = batchesOf(offsets, room / sizeof(std::uint32_t));
  std::uint64_t longest = 0;
  for (std::size_t b = 0; b + 1 < batches.size(); ++b)
    longest = std::max(longest, offsets[batches[b + 1]] - offsets[batches[b]]);
  DeviceBuffer<std::uint32_t> ids(run.lease(), longest);
  double filling = 0;
  double transfer = 0;
  for (std::size_t b = 0; b + 1 < batches.size(); ++b) {
    const std::uint64_t first = offsets[batches[b]];
    listNeighbours(join, {.begin = query + batches[b],
                          .end = query + batches[b + 1],
                          .counts = counts.data(),
                          .firstEdge = firstEdge.data(),
                          .firstOfAll = first,
                          .table = ids.data()});
    run.wait();
    filling += watch.lap();
    // Ids are below 2³¹ and the same in both types.
    ids.download({reinterpret_cast<std::uint32_t*>(table.ids.data() + first),
                  offsets[batches[b + 1]] - first});
    run.wait();
    transfer += watch.lap();
  }
  table.stats.batches = batches.size() - 1;
  table.stats.seconds.join = counting + filling + transfer;
  finishStats(join, table.stats);
  table.stats.phases = {{"counting", counting, counted},
                        {"filling", filling, table.stats.distanceCalculations - counted},
                        {"transfer", transfer, 0}};
  return table;
}

}  // namespace

NeighbourCounts bruteForceCountsOnGpu(GpuRun& run, const JoinInput& input, double squaredEps) {
  Stopwatch watch;
  AllPairsRun join(run, input, squaredEps, kAccess, kBlockSize);
  DeviceBuffer<std::uint32_t> counts(run.lease(), join.all.size);
  countNeighbours(join, counts.data());
  NeighbourCounts result;
  result.counts.resize(input.queries.size());
  counts.download(result.counts, join.queries.begin);
  run.wait();
  result.pairs = std::accumulate(result.counts.begin(), result.counts.end(), std::uint64_t{0});
  result.candidates = std::uint64_t(input.queries.size()) * input.points.size();
  result.stats.batches = 1;
  result.stats.seconds.join = watch.lap();
  finishStats(join, result.stats);
  return result;
}

Result<NeighbourTable> bruteForceTableOnGpu(GpuRun& run, const JoinInput& input,
                                            double squaredEps) {
  return tableOf(run, input, squaredEps, sizeof(std::int32_t));
}

Result<PairList> bruteForcePairsOnGpu(GpuRun& run, const JoinInput& input, double squaredEps) {
  return pairsOfTable(tableOf(run, input, squaredEps, sizeof(std::int32_t) + sizeof(Pair)),
                      run.task());
}

LowestLabels bruteForceLowestLabelsOnGpu(GpuRun& run, const JoinInput& input,
                                         std::span<const std::int32_t> given, double squaredEps) {
  Stopwatch watch;
  AllPairsRun join(run, input, squaredEps, kAccess, kBlockSize);
  const std::size_t n = join.all.size;
  // Labelled points stand for core points, the queries for the others.
  std::vector<std::uint32_t> labels(n, kNoLabel);
  std::vector<std::uint8_t> labelled(n, 0);
  for (std::size_t p = 0; p < given.size(); ++p)
    if (given[p] >= 0) {
      labels[p] = std::uint32_t(given[p]);
      labelled[p] = 1;
    }
  DeviceBuffer<std::uint8_t> core(run.lease(), n);
  DeviceBuffer<std::uint32_t> lowest(run.lease(), n);
  core.upload(labelled);
  lowest.upload(labels);
  runAllPairsBy<kAccess>(join, "take lowest label", "looking for labels", join.queries,
                         BorderLabelWork{core.data(), lowest.data()});
  LowestLabels result;
  result.labels.resize(input.queries.size());
  // All bits set is kNoise as a signed label.
  lowest.download({reinterpret_cast<std::uint32_t*>(result.labels.data()), result.labels.size()},
                  join.queries.begin);
  run.wait();
  result.stats.batches = 1;
  result.stats.seconds.join = watch.lap();
  finishStats(join, result.stats);
  return result;
}

Clustering bruteForceDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                                 double squaredEps) {
  Stopwatch watch;
  Clustering clustering;
  clustering.params = params;
  StageSeconds& seconds = clustering.stats.seconds;
  const auto n = std::uint32_t(input.points.size());
  const Lease lease = run.lease();
  const unsigned blocks = blocksFor(n);
  AllPairsRun join(run, input, squaredEps, kAccess, kBlockSize);
  DeviceBuffer<std::uint32_t> counts(lease, n);
  countNeighbours(join, counts.data());
  DeviceBuffer<std::uint8_t> core(lease, n);
  DeviceBuffer<std::uint32_t> labels(lease, n);
  DeviceBuffer<std::uint32_t> changed(lease, 1);
  const auto minPts =
      std::uint32_t(std::min<std::uint64_t>(std::uint64_t(params.minPts), std::uint64_t(n) + 1));
  startLabels<<<blocks, kBlockSize, 0, run.stream()>>>(counts.data(), minPts, core.data(),
                                                       labels.data(), n);
  CUDA_CHECK_LAUNCH();
  seconds.join = watch.lap();

  const auto again = run.mailbox<std::uint32_t>(1);
  do {
    changed.fillBytes(0);
    runAllPairsBy<kAccess>(join, "take lowest label", "growing clusters", {0, n},
                           CoreLabelWork{core.data(), labels.data(), changed.data()});
    shortenChains<<<blocks, kBlockSize, 0, run.stream()>>>(core.data(), labels.data(), n);
    CUDA_CHECK_LAUNCH();
    changed.download(again);
    run.wait();
  } while (again[0] != 0);
  runAllPairsBy<kAccess>(join, "label border points", "placing border points", {0, n},
                         BorderLabelWork{core.data(), labels.data()});

  labelBySets(run, core, labels, clustering);
  seconds.label = watch.lap();
  clustering.stats.batches = 1;
  finishStats(join, clustering.stats);
  return clustering;
}

}  // namespace clusterloom
