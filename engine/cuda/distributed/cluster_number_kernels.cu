#include <algorithm>

#include "engine/core/disjoint_sets.h"
#include "engine/cuda/distributed/division_kernels.h"
#include "engine/cuda/distributed/of_ranks.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/launch.h"

// The numbers of the clusters of a divided DBSCAN: which parts of ranks are one cluster, and how
// many clusters come before each.

namespace clusterloom {
namespace {

__device__ std::uint32_t originOf(const PointOrigins& origins, std::uint32_t own) {
  std::uint32_t r = 0;
  while (own >= origins.firstOwn[r + 1]) ++r;
  return r;
}

__global__ void findIds(const __grid_constant__ PointOrigins origins, const std::uint32_t* points,
                        std::size_t count, std::uint64_t* ids) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::uint32_t own = points[i];
  std::uint64_t id = kNoPoint;
  if (own < origins.firstOwn[origins.ranks]) {
    const std::uint32_t r = originOf(origins, own);
    id = origins.firstPoint[r] + origins.order[r][own - origins.firstOwn[r]];
  }
  ids[i] = id;
}

__global__ void gatherThese(const std::uint32_t* values, const std::uint32_t* order,
                            std::size_t count, std::uint32_t* into) {
  const std::size_t i = threadNumber();
  if (i < count) into[i] = values[order[i]];
}

__global__ void markThem(const std::uint32_t* own, std::size_t count, std::uint64_t first,
                         const std::uint32_t* order, std::uint64_t ordered, std::uint32_t* points,
                         std::uint32_t* marks) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::uint64_t place = own[i] - first;  // huge for points before the first
  const std::uint32_t point = place < ordered ? order[place] : kElsewhere;
  points[i] = point;
  if (place < ordered) atomicOr(&marks[point / 32], 1U << point % 32);
}

__global__ void countMarks(const std::uint32_t* marks, std::size_t words, std::uint32_t* counts) {
  const std::size_t i = threadNumber();
  if (i < words) counts[i] = __popc(marks[i]);
}

// `before`: marks in the words before each.
__global__ void readCounts(const std::uint32_t* marks, const std::uint32_t* before,
                           std::uint32_t all, const std::uint32_t* points, std::size_t count,
                           std::uint32_t* into) {
  const std::size_t i = threadNumber();
  const auto until = [&](std::uint32_t point) {
    return before[point / 32] + __popc(marks[point / 32] & ((1U << point % 32) - 1));
  };
  if (i == 0) into[0] = until(all);
  if (i < count && points[i] != kElsewhere) into[1 + i] = until(points[i]);
}

__global__ void numberThem(const __grid_constant__ PointOrigins origins,
                           const __grid_constant__ OfRanks<std::uint32_t> answers,
                           const std::uint32_t* heads, const std::uint32_t* own, std::size_t count,
                           std::int32_t* numbers, std::uint64_t* all) {
  const std::size_t i = threadNumber();
  if (i == 0) {
    *all = 0;
    for (std::uint32_t r = 0; r < origins.ranks; ++r) *all += answers.ofRank[r][0];
  }
  if (i >= count) return;
  const std::uint32_t origin = originOf(origins, own[i]);
  std::uint32_t number = answers.ofRank[origin][1 + i];
  for (std::uint32_t r = 0; r < origin; ++r) number += answers.ofRank[r][0];
  numbers[heads[i]] = std::int32_t(number);
}

__global__ void makeLinks(const __grid_constant__ ClusterRow row, const std::int32_t* own,
                          const std::int32_t* theirs, std::size_t copies, LinkedPlaces* links) {
  const std::size_t i = threadNumber();
  if (i >= copies) return;
  LinkedPlaces link;
  if (own[i] >= 0 && theirs[i] >= 0) {
    std::uint32_t r = 0;
    while (i >= row.firstCopy[r + 1]) ++r;
    link.own = row.first[row.self] + std::uint32_t(own[i]);
    link.other = row.first[r] + std::uint32_t(theirs[i]);
  }
  links[i] = link;
}

// Disjoint sets of places in the row: `parent`, and by root the lowest point and the part that has
// it.
struct RowSets {
  std::uint32_t* parent;
  unsigned long long* lowest;
  std::uint32_t* head;
};

__global__ void startRow(RowSets sets, std::uint32_t places) {
  const std::size_t p = threadNumber();
  if (p >= places) return;
  sets.parent[p] = std::uint32_t(p);
  sets.lowest[p] = kNoPoint;
  sets.head[p] = std::uint32_t(p);
}

// One row of blocks for each rank.
__global__ void uniteLinked(const __grid_constant__ PartsOfRanks parts, RowSets sets) {
  CudaLane lane;
  const PartsOfRank& of = parts.ofRank[blockIdx.y];
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = threadNumber(); i < of.linkCount; i += step) {
    const LinkedPlaces link = of.links[i];
    if (link.own != kNoPlace) unite(lane, sets.parent, link.own, link.other);
  }
}

// The lowest point of the cluster at a place.
__device__ std::uint64_t lowestAt(const ClusterRow& row, const PartsOfRanks& parts,
                                  std::uint32_t place) {
  std::uint32_t r = 0;
  while (place >= row.first[r + 1]) ++r;
  return parts.ofRank[r].lowest[place - row.first[r]];
}

// Stores the root of every place, and the lowest point of its set there.
__global__ void lowestOfSets(const __grid_constant__ ClusterRow row,
                             const __grid_constant__ PartsOfRanks parts, RowSets sets,
                             std::uint32_t places) {
  CudaLane lane;
  const std::size_t p = threadNumber();
  if (p >= places) return;
  const auto place = std::uint32_t(p);
  const std::uint32_t root = rootOf(lane, sets.parent, place);
  sets.parent[p] = root;
  const std::uint64_t lowest = lowestAt(row, parts, place);
  if (lowest != kNoPoint) atomicMin(&sets.lowest[root], lowest);
}

__global__ void findHeads(const __grid_constant__ ClusterRow row,
                          const __grid_constant__ PartsOfRanks parts, RowSets sets,
                          std::uint32_t places) {
  const std::size_t p = threadNumber();
  if (p >= places) return;
  const std::uint64_t lowest = lowestAt(row, parts, std::uint32_t(p));
  const std::uint32_t root = sets.parent[p];
  if (lowest != kNoPoint && lowest == sets.lowest[root]) sets.head[root] = std::uint32_t(p);
}

__global__ void takeHeads(const __grid_constant__ ClusterRow row, RowSets sets,
                          std::size_t clusters, std::uint32_t* heads) {
  const std::size_t c = threadNumber();
  if (c < clusters) heads[c] = sets.head[sets.parent[row.first[row.self] + c]];
}

__global__ void flagHeads(const __grid_constant__ ClusterRow row, const std::uint32_t* heads,
                          std::size_t clusters, std::uint8_t* flags) {
  const std::size_t c = threadNumber();
  if (c < clusters) flags[c] = heads[c] == row.first[row.self] + c;
}

__global__ void numberTheParts(const __grid_constant__ ClusterRow row,
                               const __grid_constant__ OfRanks<std::int32_t> numbersOf,
                               const std::uint32_t* heads, std::size_t clusters,
                               std::int32_t* numbers) {
  const std::size_t c = threadNumber();
  if (c >= clusters) return;
  const std::uint32_t head = heads[c];
  if (head == row.first[row.self] + c) return;
  std::uint32_t r = 0;
  while (head >= row.first[r + 1]) ++r;
  numbers[c] = numbersOf.ofRank[r][head - row.first[r]];
}

}  // namespace

void idsOfPoints(GpuRun& run, const PointOrigins& origins,
                 const DeviceBuffer<std::uint32_t>& points, std::uint64_t* ids) {
  if (points.size() == 0) return;
  findIds<<<blocksFor(points.size()), kBlockSize, 0, run.stream()>>>(origins, points.data(),
                                                                     points.size(), ids);
  CUDA_CHECK_LAUNCH();
}

void gatherValues(GpuRun& run, const std::uint32_t* values, const std::uint32_t* order,
                  std::size_t count, std::uint32_t* into) {
  if (count == 0) return;
  gatherThese<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(values, order, count, into);
  CUDA_CHECK_LAUNCH();
}

void markHeads(GpuRun& run, const std::uint32_t* own, std::size_t count, std::uint64_t first,
               const std::uint32_t* order, std::uint64_t ordered, std::uint32_t* points,
               std::uint32_t* marks) {
  if (count == 0) return;
  markThem<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(own, count, first, order, ordered,
                                                              points, marks);
  CUDA_CHECK_LAUNCH();
}

DeviceBuffer<std::uint32_t> marksBefore(GpuRun& run, const DeviceBuffer<std::uint32_t>& marks) {
  DeviceBuffer<std::uint32_t> before(run.lease(), marks.size());
  countMarks<<<blocksFor(marks.size()), kBlockSize, 0, run.stream()>>>(marks.data(), marks.size(),
                                                                       before.data());
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), before.data(), before.data(), before.size());
  return before;
}

void countsBefore(GpuRun& run, const DeviceBuffer<std::uint32_t>& marks,
                  const DeviceBuffer<std::uint32_t>& before, std::uint32_t all,
                  const std::uint32_t* points, std::size_t count, std::uint32_t* into) {
  readCounts<<<blocksFor(count + 1), kBlockSize, 0, run.stream()>>>(marks.data(), before.data(),
                                                                    all, points, count, into);
  CUDA_CHECK_LAUNCH();
}

void numberHeads(GpuRun& run, const PointOrigins& origins,
                 const std::vector<const std::uint32_t*>& answers, const std::uint32_t* heads,
                 const std::uint32_t* own, std::size_t count, std::int32_t* numbers,
                 std::uint64_t* all) {
  numberThem<<<blocksFor(count + 1), kBlockSize, 0, run.stream()>>>(
      origins, OfRanks(answers), heads, own, count, numbers, all);
  CUDA_CHECK_LAUNCH();
}

void linksOfCopies(GpuRun& run, const ClusterRow& row, const std::int32_t* own,
                   const std::int32_t* theirs, std::size_t copies, LinkedPlaces* links) {
  if (copies == 0) return;
  makeLinks<<<blocksFor(copies), kBlockSize, 0, run.stream()>>>(row, own, theirs, copies, links);
  CUDA_CHECK_LAUNCH();
}

DeviceBuffer<std::uint32_t> headsOfClusters(GpuRun& run, const ClusterRow& row,
                                            const PartsOfRanks& parts) {
  const Lease lease = run.lease();
  const std::uint32_t places = row.all();
  const std::size_t clusters = row.first[row.self + 1] - row.first[row.self];
  DeviceBuffer<std::uint32_t> heads(lease, clusters);
  if (places == 0) return heads;
  DeviceBuffer<std::uint32_t> parent(lease, places);
  DeviceBuffer<unsigned long long> lowest(lease, places);
  DeviceBuffer<std::uint32_t> head(lease, places);
  const RowSets sets{parent.data(), lowest.data(), head.data()};
  const unsigned blocks = blocksFor(places);
  startRow<<<blocks, kBlockSize, 0, run.stream()>>>(sets, places);
  CUDA_CHECK_LAUNCH();
  std::uint64_t most = 0;
  for (std::uint32_t r = 0; r < row.ranks; ++r) most = std::max(most, parts.ofRank[r].linkCount);
  if (most > 0) {
    constexpr unsigned kMostBlocks = 1024;
    uniteLinked<<<dim3(std::min(blocksFor(most), kMostBlocks), row.ranks), kBlockSize, 0,
                  run.stream()>>>(parts, sets);
    CUDA_CHECK_LAUNCH();
  }
  lowestOfSets<<<blocks, kBlockSize, 0, run.stream()>>>(row, parts, sets, places);
  CUDA_CHECK_LAUNCH();
  findHeads<<<blocks, kBlockSize, 0, run.stream()>>>(row, parts, sets, places);
  CUDA_CHECK_LAUNCH();
  takeHeads<<<blocksFor(clusters), kBlockSize, 0, run.stream()>>>(row, sets, clusters,
                                                                  heads.data());
  CUDA_CHECK_LAUNCH();
  return heads;
}

OwnHeads ownHeads(GpuRun& run, const ClusterRow& row, const DeviceBuffer<std::uint32_t>& heads) {
  const Lease lease = run.lease();
  OwnHeads own;
  own.clusters = DeviceBuffer<std::uint32_t>(lease, heads.size());
  if (heads.size() == 0) return own;
  DeviceBuffer<std::uint8_t> flags(lease, heads.size());
  DeviceBuffer<std::uint32_t> count(lease, 1);
  flagHeads<<<blocksFor(heads.size()), kBlockSize, 0, run.stream()>>>(row, heads.data(),
                                                                      heads.size(), flags.data());
  CUDA_CHECK_LAUNCH();
  selectFlagged(lease, flags.data(), own.clusters.data(), count.data(), heads.size());
  own.count = run.read(count);
  return own;
}

void numberParts(GpuRun& run, const ClusterRow& row, const DeviceBuffer<std::uint32_t>& heads,
                 const std::vector<const std::int32_t*>& numbersOf, std::int32_t* numbers) {
  if (heads.size() == 0) return;
  numberTheParts<<<blocksFor(heads.size()), kBlockSize, 0, run.stream()>>>(
      row, OfRanks(numbersOf), heads.data(), heads.size(), numbers);
  CUDA_CHECK_LAUNCH();
}

}  // namespace clusterloom
