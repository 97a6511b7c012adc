#include "engine/cuda/distributed/division_kernels.h"
#include "engine/cuda/distributed/of_ranks.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/launch.h"

// The numbers of the clusters of a divided DBSCAN: links between the clusters of ranks, and how
// many clusters come before each.

namespace clusterloom {
namespace {

__global__ void mark(const std::int32_t* clusters, std::size_t count, std::uint8_t* flags) {
  const std::size_t i = threadNumber();
  if (i < count && clusters[i] >= 0) flags[clusters[i]] = 1;
}

__global__ void clearFlags(const std::uint32_t* list, std::size_t count, std::uint8_t* flags) {
  const std::size_t i = threadNumber();
  if (i < count) flags[list[i]] = 0;
}

__device__ std::uint32_t originOf(const PointOrigins& origins, std::uint32_t own) {
  std::uint32_t r = 0;
  while (own >= origins.firstOwn[r + 1]) ++r;
  return r;
}

__global__ void describe(const __grid_constant__ PointOrigins origins,
                         const std::uint32_t* clusters, std::size_t count,
                         const std::uint32_t* lowest, SharedCluster* into) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::uint32_t own = lowest[clusters[i]];
  std::uint64_t id = RankClusters::kNoPoint;
  if (own < origins.firstOwn[origins.ranks]) {
    const std::uint32_t r = originOf(origins, own);
    id = origins.firstPoint[r] + origins.order[r][own - origins.firstOwn[r]];
  }
  into[i].cluster = static_cast<std::int32_t>(clusters[i]);
  into[i].lowest = id;
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
  numbers[heads[i]] = static_cast<std::int32_t>(number);
}

__global__ void numberTheParts(const __grid_constant__ OfRanks<std::int32_t> numbersOf,
                               const NumberedPart* parts, std::size_t count,
                               std::int32_t* numbers) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const RankCluster head = parts[i].head;
  numbers[parts[i].cluster] = numbersOf.ofRank[head.rank][head.cluster];
}

constexpr std::uint64_t kNoLink = ~std::uint64_t{0};  // behind all links

__global__ void makeLinks(const __grid_constant__ CopyRanges ranges, const std::int32_t* own,
                          const std::int32_t* theirs, std::size_t copies, std::uint64_t* links) {
  const std::size_t i = threadNumber();
  if (i >= copies) return;
  std::uint32_t r = 0;
  while (i >= ranges.first[r + 1]) ++r;
  links[i] = own[i] >= 0 && theirs[i] >= 0
                 ? static_cast<std::uint64_t>(own[i]) << 32 |
                       (ranges.clusters[r] + static_cast<std::uint32_t>(theirs[i]))
                 : kNoLink;
}

__global__ void flagFirstLinks(const std::uint64_t* links, std::size_t n, std::uint8_t* first) {
  const std::size_t i = threadNumber();
  if (i < n) first[i] = links[i] != kNoLink && (i == 0 || links[i] != links[i - 1]);
}

__global__ void collectLinks(const std::uint64_t* links, const std::uint32_t* places,
                             const std::uint32_t* count, std::uint64_t* into) {
  const std::size_t i = threadNumber();
  if (i < *count) into[i] = links[places[i]];
}

}  // namespace

DeviceBuffer<std::uint32_t> otherClusters(GpuRun& run, std::size_t clusters,
                                          const std::vector<std::uint32_t>& others) {
  DeviceBuffer<std::uint32_t> list(run.lease(), clusters - others.size());
  if (clusters == 0) return list;
  DeviceBuffer<std::uint32_t> all(run.lease(), clusters);  // a place for every cluster
  DeviceBuffer<std::uint32_t> count(run.lease(), 1);
  DeviceBuffer<std::uint8_t> flags(run.lease(), clusters);
  flags.fillBytes(1);
  if (!others.empty()) {
    DeviceBuffer<std::uint32_t> left(run.lease(), others.size());
    left.upload(others);
    clearFlags<<<blocksFor(others.size()), kBlockSize, 0, run.stream()>>>(
        left.data(), others.size(), flags.data());
    CUDA_CHECK_LAUNCH();
  }
  selectFlagged(run.lease(), flags.data(), all.data(), count.data(), clusters);
  if (list.size() > 0)
    CUDA_CHECK(cudaMemcpyAsync(list.data(), all.data(), list.bytes(), cudaMemcpyDeviceToDevice,
                               run.stream()));
  return list;
}

void describeClusters(GpuRun& run, const PointOrigins& origins, const std::uint32_t* clusters,
                      std::size_t count, const std::uint32_t* lowest, SharedCluster* into) {
  if (count == 0) return;
  describe<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(origins, clusters, count, lowest,
                                                              into);
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

void numberParts(GpuRun& run, const std::vector<const std::int32_t*>& numbersOf,
                 const std::vector<NumberedPart>& parts, std::int32_t* numbers) {
  if (parts.empty()) return;
  DeviceBuffer<NumberedPart> there(run.lease(), parts.size());
  there.upload(parts);
  numberTheParts<<<blocksFor(parts.size()), kBlockSize, 0, run.stream()>>>(
      OfRanks(numbersOf), there.data(), parts.size(), numbers);
  CUDA_CHECK_LAUNCH();
}

void markClusters(GpuRun& run, const std::int32_t* clusters, std::size_t count,
                  std::uint8_t* flags) {
  if (count == 0) return;
  mark<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(clusters, count, flags);
  CUDA_CHECK_LAUNCH();
}

void linksOfCopies(GpuRun& run, const CopyRanges& ranges, const std::int32_t* own,
                   const std::int32_t* theirs, std::size_t copies,
                   DeviceBuffer<std::uint64_t>& links, std::uint32_t* count) {
  const Lease lease = run.lease();
  links = DeviceBuffer<std::uint64_t>(lease, copies);
  const unsigned blocks = blocksFor(copies);
  DeviceBuffer<std::uint64_t> all(lease, copies);
  makeLinks<<<blocks, kBlockSize, 0, run.stream()>>>(ranges, own, theirs, copies, all.data());
  CUDA_CHECK_LAUNCH();
  sortKeys(lease, all, copies, 64);
  DeviceBuffer<std::uint8_t> first(lease, copies);
  DeviceBuffer<std::uint32_t> places(lease, copies);
  flagFirstLinks<<<blocks, kBlockSize, 0, run.stream()>>>(all.data(), copies, first.data());
  CUDA_CHECK_LAUNCH();
  selectFlagged(lease, first.data(), places.data(), count, copies);
  collectLinks<<<blocks, kBlockSize, 0, run.stream()>>>(all.data(), places.data(), count,
                                                        links.data());
  CUDA_CHECK_LAUNCH();
}

}  // namespace clusterloom
