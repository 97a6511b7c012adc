#include <algorithm>
#include <bit>

#include "engine/core/lower_bound.h"
#include "engine/cuda/distributed/division_kernels.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

constexpr unsigned kCountBlock = 1024;

// Coordinates of point p of dimension-major columns of n values.
struct PointOf {
  const double* columns;
  std::size_t n;
  std::size_t p;
  __device__ double operator()(std::uint32_t j) const { return columns[j * n + p]; }
};

// A division as the counting of cells reads it.
struct CountedDivision {
  DivisionView view;
  SliceGuess guesses[DivisionView::kMostCuts];
};

// Bounds of so many slices fit into the shared memory of a block, beside the guesses.
constexpr std::uint32_t kSharedBounds = 1024;
constexpr std::uint32_t kGuessed = SliceGuess::kParts + 1;
constexpr std::size_t kTableBytes =
    kSharedBounds * sizeof(double) + DivisionView::kMostCuts * kGuessed * sizeof(std::uint16_t);

// `CountInShared`: the block counts in its shared memory, which has a word for each cell.
template <bool CountInShared>
__global__ void countCells(const __grid_constant__ CountedDivision division, const double* columns,
                           std::size_t n, std::uint32_t cells, std::uint32_t* cellOfPoint,
                           std::uint32_t* counts) {
  extern __shared__ std::uint32_t ofBlock[];
  __shared__ double sharedBounds[kSharedBounds];
  __shared__ std::uint16_t guessed[DivisionView::kMostCuts * kGuessed];
  const DivisionView& v = division.view;
  const double* bounds[DivisionView::kMostCuts] = {};
  std::uint32_t used = 0;
  CLUSTERLOOM_UNROLL
  for (int i = 0; i < DivisionView::kMostCuts; ++i) {
    if (i >= v.cuts) continue;
    bounds[i] = v.bounds[i];
    for (std::uint32_t b = threadIdx.x; b < kGuessed; b += blockDim.x)
      guessed[i * kGuessed + b] = division.guesses[i].first[b];
    if (used + v.slices[i] > kSharedBounds) continue;
    for (std::uint32_t s = threadIdx.x; s < v.slices[i]; s += blockDim.x)
      sharedBounds[used + s] = v.bounds[i][s];
    bounds[i] = sharedBounds + used;
    used += v.slices[i];
  }
  if (CountInShared)
    for (std::uint32_t c = threadIdx.x; c < cells; c += blockDim.x) ofBlock[c] = 0;
  __syncthreads();
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t p = threadNumber(); p < n; p += step) {
    std::uint32_t cell = 0;
    CLUSTERLOOM_UNROLL
    for (int i = 0; i < DivisionView::kMostCuts; ++i) {
      if (i >= v.cuts) continue;
      const SliceGuess guess{division.guesses[i].begin, division.guesses[i].scale,
                             guessed + i * kGuessed};
      cell += guess.slice(bounds[i], columns[v.dims[i] * n + p]) * v.stride[i];
    }
    cellOfPoint[p] = cell;
    if (CountInShared) {
      atomicAdd(&ofBlock[cell], 1);
    } else {
      // Lanes with the same cell count together.
      const unsigned same = __match_any_sync(__activemask(), cell);
      if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(same)) - 1))
        atomicAdd(&counts[cell], __popc(same));
    }
  }
  if (!CountInShared) return;
  __syncthreads();
  for (std::uint32_t c = threadIdx.x; c < cells; c += blockDim.x)
    if (ofBlock[c] != 0) atomicAdd(&counts[c], ofBlock[c]);
}

// Partition by owner, stable: blocks take consecutive chunks of points, row by row, and lanes with
// the same owner count together.
constexpr unsigned kPartBlock = 256;
constexpr unsigned kPartRows = 16;
constexpr unsigned kPartWarps = kPartBlock / 32;
constexpr std::size_t kChunk = kPartBlock * kPartRows;

// counts[r · chunks + c]: points of owner r in chunk c.
__global__ void countOwners(const int* owner, const std::uint32_t* cellOfPoint, std::size_t n,
                            unsigned ranks, std::uint32_t* counts) {
  __shared__ std::uint32_t ofBlock[DivisionView::kMostRanks];
  if (threadIdx.x < ranks) ofBlock[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned row = 0; row < kPartRows; ++row) {
    const std::size_t p = blockIdx.x * kChunk + row * kPartBlock + threadIdx.x;
    const unsigned r = p < n ? static_cast<unsigned>(owner[cellOfPoint[p]]) : ranks;
    const unsigned same = __match_any_sync(0xffffffffU, r);
    if (r < ranks && (same & ((1U << threadIdx.x % 32) - 1)) == 0)
      atomicAdd(&ofBlock[r], __popc(same));
  }
  __syncthreads();
  if (threadIdx.x < ranks) counts[threadIdx.x * gridDim.x + blockIdx.x] = ofBlock[threadIdx.x];
}

// `first`: the exclusive sums of `counts`.
__global__ void placeByOwner(const int* owner, const std::uint32_t* cellOfPoint, std::size_t n,
                             unsigned ranks, const std::uint32_t* first, std::uint32_t* order) {
  __shared__ std::uint32_t next[DivisionView::kMostRanks];
  __shared__ std::uint32_t ofWarp[kPartWarps][DivisionView::kMostRanks];
  if (threadIdx.x < ranks) next[threadIdx.x] = first[threadIdx.x * gridDim.x + blockIdx.x];
  const unsigned warp = threadIdx.x / 32;
  for (unsigned row = 0; row < kPartRows; ++row) {
    const std::size_t p = blockIdx.x * kChunk + row * kPartBlock + threadIdx.x;
    const unsigned r = p < n ? static_cast<unsigned>(owner[cellOfPoint[p]]) : ranks;
    for (unsigned i = threadIdx.x; i < kPartWarps * ranks; i += kPartBlock)
      ofWarp[i / ranks][i % ranks] = 0;
    __syncthreads();
    const unsigned same = __match_any_sync(0xffffffffU, r);
    const unsigned before = __popc(same & ((1U << threadIdx.x % 32) - 1));
    if (r < ranks && before == 0) ofWarp[warp][r] = __popc(same);
    __syncthreads();
    if (threadIdx.x < ranks) {
      for (unsigned w = 0; w < kPartWarps; ++w) {
        const std::uint32_t count = ofWarp[w][threadIdx.x];
        ofWarp[w][threadIdx.x] = next[threadIdx.x];
        next[threadIdx.x] += count;
      }
    }
    __syncthreads();
    if (r < ranks) order[ofWarp[warp][r] + before] = static_cast<std::uint32_t>(p);
    __syncthreads();
  }
}

__global__ void findOuter(const std::uint32_t* order, std::size_t count,
                          const std::uint32_t* cellOfPoint, const std::uint8_t* inner,
                          std::uint8_t* into) {
  const std::size_t i = threadNumber();
  if (i < count) into[i] = inner[cellOfPoint[order[i]]] == 0;
}

__global__ void findMasks(const __grid_constant__ DivisionView division, const double* columns,
                          std::size_t n, const std::uint32_t* points, std::size_t count,
                          double squaredEps, int self, std::uint64_t* masks) {
  const std::size_t i = threadNumber();
  if (i < count)
    masks[i] = nearRanksMask(division, PointOf{columns, n, points[i]}, squaredEps, self);
}

__global__ void flagRank(const std::uint64_t* masks, std::size_t count, int rank,
                         std::uint8_t* flags) {
  const std::size_t i = threadNumber();
  if (i < count) flags[i] = static_cast<std::uint8_t>(masks[i] >> rank & 1U);
}

// In place: places in a list become what the list has there.
__global__ void takeFrom(const std::uint32_t* list, const std::uint32_t* count,
                         std::uint32_t* places) {
  const std::size_t i = threadNumber();
  if (i < *count) places[i] = list[places[i]];
}

__global__ void gatherCoordinates(const double* columns, std::size_t n, const std::uint32_t* order,
                                  std::size_t count, double* into, std::size_t stride) {
  const std::size_t i = threadNumber();
  if (i < count) into[blockIdx.y * stride + i] = columns[blockIdx.y * n + order[i]];
}

__global__ void gatherThese(const std::uint32_t* values, const std::uint32_t* order,
                            std::size_t count, std::uint32_t* into) {
  const std::size_t i = threadNumber();
  if (i < count) into[i] = values[order[i]];
}

template <class T>
__global__ void scatterThese(const T* values, const std::uint32_t* order, std::size_t count,
                             T* into) {
  const std::size_t i = threadNumber();
  if (i < count) into[order[i]] = values[i];
}

__global__ void scatterOwner(std::uint16_t owner, const std::uint32_t* order, std::size_t count,
                             std::uint16_t* into) {
  const std::size_t i = threadNumber();
  if (i < count) into[order[i]] = owner;
}

template <class T>
void scatter(GpuRun& run, const T* values, const std::uint32_t* order, std::size_t count, T* into) {
  if (count == 0) return;
  scatterThese<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(values, order, count, into);
  CUDA_CHECK_LAUNCH();
}

__global__ void mark(const std::int32_t* clusters, std::size_t count, std::uint8_t* flags) {
  const std::size_t i = threadNumber();
  if (i < count && clusters[i] >= 0) flags[clusters[i]] = 1;
}

__global__ void clearFlags(const std::uint32_t* list, std::size_t count, std::uint8_t* flags) {
  const std::size_t i = threadNumber();
  if (i < count) flags[list[i]] = 0;
}

__global__ void findPlaces(const std::uint32_t* values, std::uint32_t n,
                           const std::uint64_t* limits, std::size_t count, std::uint64_t* places) {
  const std::size_t i = threadNumber();
  if (i < count)
    places[i] = lowerBound(values, std::uint32_t{0}, n, static_cast<std::uint32_t>(limits[i]));
}

__global__ void subtractFromAll(std::uint32_t* values, std::size_t count, std::uint32_t by) {
  const std::size_t i = threadNumber();
  if (i < count) values[i] -= by;
}

__global__ void markThem(const std::uint32_t* order, std::uint32_t* places, std::size_t count,
                         std::uint32_t* marks) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::uint32_t point = order[places[i]];
  places[i] = point;
  marks[point] = 1;
}

__global__ void numberThem(const std::uint32_t* before, std::uint32_t first,
                           const std::uint32_t* points, std::size_t count, std::int32_t* into) {
  const std::size_t i = threadNumber();
  if (i < count) into[i] = static_cast<std::int32_t>(first + before[points[i]]);
}

constexpr std::uint64_t kNoLink = ~std::uint64_t{0};  // behind all links

__global__ void makeLinks(const std::int32_t* own, const std::int32_t* theirs, std::size_t copies,
                          std::uint64_t* links) {
  const std::size_t i = threadNumber();
  if (i >= copies) return;
  links[i] = own[i] >= 0 && theirs[i] >= 0
                 ? static_cast<std::uint64_t>(own[i]) << 32 | static_cast<std::uint32_t>(theirs[i])
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

DeviceDivision uploadDivision(GpuRun& run, const SpaceDivision& division) {
  DeviceDivision there;
  there.view = division.view();
  std::size_t bounds = 0;
  for (const auto& of : division.bounds) bounds += of.size();
  there.bounds = DeviceBuffer<double>(run.lease(), bounds);
  bounds = 0;
  for (std::size_t i = 0; i < division.bounds.size(); ++i) {
    there.bounds.upload(division.bounds[i], bounds);
    there.view.bounds[i] = there.bounds.data() + bounds;
    bounds += division.bounds[i].size();
  }
  there.guessed = DeviceBuffer<std::uint16_t>(run.lease(), division.bounds.size() * kGuessed);
  for (std::size_t i = 0; i < division.bounds.size(); ++i) {
    std::vector<std::uint16_t> first;
    there.guesses[i] = guessOf(division.bounds[i], first);
    there.guessed.upload(first, i * kGuessed);
    there.guesses[i].first = there.guessed.data() + i * kGuessed;
  }
  return there;
}

void uploadOwners(GpuRun& run, const SpaceDivision& division, DeviceDivision& there) {
  there.owner = DeviceBuffer<int>(run.lease(), division.owner.size());
  there.owner.upload(division.owner);
  there.view.owner = there.owner.data();
}

std::vector<std::uint64_t> countPointsOfCells(GpuRun& run, const DeviceCloud& cloud,
                                              const DeviceDivision& division, std::size_t cells,
                                              DeviceBuffer<std::uint32_t>& cellOfPoint) {
  std::vector<std::uint64_t> sums(cells, 0);
  cellOfPoint = DeviceBuffer<std::uint32_t>(run.lease(), cloud.size);
  if (cloud.size == 0) return sums;
  DeviceBuffer<std::uint32_t> counts(run.lease(), cells);
  counts.fillBytes(0);
  int most = 0;
  CUDA_CHECK(
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, run.device().id()));
  const std::size_t bytes = cells * sizeof(std::uint32_t);
  const bool inShared = bytes + kTableBytes <= static_cast<std::size_t>(most);
  const auto kernel = inShared ? countCells<true> : countCells<false>;
  const std::size_t shared = inShared ? bytes : 0;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared)));
  CountedDivision counted{division.view, {}};
  std::copy(std::begin(division.guesses), std::end(division.guesses), counted.guesses);
  int each = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kCountBlock, shared));
  const auto blocks = static_cast<unsigned>(std::max(1, each * run.device().multiprocessors()));
  kernel<<<std::min(blocks, blocksFor(cloud.size, kCountBlock)), kCountBlock, shared,
           run.stream()>>>(counted, cloud.coordinates.data(), cloud.size,
                           static_cast<std::uint32_t>(cells), cellOfPoint.data(), counts.data());
  CUDA_CHECK_LAUNCH();
  std::vector<std::uint32_t> here(cells);
  counts.download(here);
  run.wait();
  std::copy(here.begin(), here.end(), sums.begin());
  return sums;
}

DeviceBuffer<std::uint32_t> orderByOwner(GpuRun& run, const DivisionView& division, int ranks,
                                         const DeviceBuffer<std::uint32_t>& cellOfPoint) {
  const std::size_t n = cellOfPoint.size();
  DeviceBuffer<std::uint32_t> order(run.lease(), n);
  if (n == 0) return order;
  const unsigned chunks = blocksFor(n, static_cast<unsigned>(kChunk));
  DeviceBuffer<std::uint32_t> counts(run.lease(), static_cast<std::size_t>(ranks) * chunks);
  countOwners<<<chunks, kPartBlock, 0, run.stream()>>>(division.owner, cellOfPoint.data(), n,
                                                       static_cast<unsigned>(ranks), counts.data());
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), counts.data(), counts.data(), counts.size());
  placeByOwner<<<chunks, kPartBlock, 0, run.stream()>>>(division.owner, cellOfPoint.data(), n,
                                                        static_cast<unsigned>(ranks), counts.data(),
                                                        order.data());
  CUDA_CHECK_LAUNCH();
  return order;
}

void flagOuter(GpuRun& run, const std::uint32_t* order, std::size_t count,
               const DeviceBuffer<std::uint32_t>& cellOfPoint,
               const DeviceBuffer<std::uint8_t>& inner, std::uint8_t* into) {
  if (count == 0) return;
  findOuter<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(order, count, cellOfPoint.data(),
                                                               inner.data(), into);
  CUDA_CHECK_LAUNCH();
}

BorderPoints borderPointsOf(GpuRun& run, const DeviceCloud& own, const DivisionView& division,
                            const DeviceBuffer<std::uint8_t>& outer, int ranks, int self,
                            double squaredEps) {
  BorderPoints border;
  border.toRank.resize(static_cast<std::size_t>(ranks));
  border.counts.assign(static_cast<std::size_t>(ranks), 0);
  const std::size_t n = own.size;
  if (n == 0 || ranks == 1) return border;
  const Lease lease = run.lease();
  const double* const columns = own.coordinates.data();
  DeviceBuffer<std::uint32_t> candidates(lease, n);
  DeviceBuffer<std::uint32_t> counts(lease, static_cast<std::size_t>(ranks));
  selectFlagged(lease, outer.data(), candidates.data(), counts.data(), n);
  const auto numbers = run.mailbox<std::uint32_t>(static_cast<std::size_t>(ranks));
  counts.download(numbers.first(1));
  run.wait();
  const std::size_t found = numbers[0];
  if (found == 0) return border;
  DeviceBuffer<std::uint64_t> masks(lease, found);
  findMasks<<<blocksFor(found), kBlockSize, 0, run.stream()>>>(
      division, columns, n, candidates.data(), found, squaredEps, self, masks.data());
  CUDA_CHECK_LAUNCH();
  counts.fillBytes(0);
  DeviceBuffer<std::uint8_t> flags(lease, found);
  for (int r = 0; r < ranks; ++r) {
    if (r == self) continue;
    DeviceBuffer<std::uint32_t>& points = border.toRank[static_cast<std::size_t>(r)];
    points = DeviceBuffer<std::uint32_t>(lease, found);
    flagRank<<<blocksFor(found), kBlockSize, 0, run.stream()>>>(masks.data(), found, r,
                                                                flags.data());
    CUDA_CHECK_LAUNCH();
    selectFlagged(lease, flags.data(), points.data(), counts.data() + r, found);
    takeFrom<<<blocksFor(found), kBlockSize, 0, run.stream()>>>(candidates.data(),
                                                                counts.data() + r, points.data());
    CUDA_CHECK_LAUNCH();
  }
  counts.download(numbers);
  run.wait();
  border.counts.assign(numbers.begin(), numbers.end());
  return border;
}

void gatherPoints(GpuRun& run, const DeviceCloud& cloud, const std::uint32_t* order,
                  std::size_t count, double* into, std::size_t stride) {
  if (count == 0) return;
  gatherCoordinates<<<dim3(blocksFor(count), static_cast<unsigned>(cloud.dims)), kBlockSize, 0,
                      run.stream()>>>(cloud.coordinates.data(), cloud.size, order, count, into,
                                      stride);
  CUDA_CHECK_LAUNCH();
}

void gatherValues(GpuRun& run, const std::uint32_t* values, const std::uint32_t* order,
                  std::size_t count, std::uint32_t* into) {
  if (count == 0) return;
  gatherThese<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(values, order, count, into);
  CUDA_CHECK_LAUNCH();
}
void scatterValues(GpuRun& run, const std::uint8_t* values, const std::uint32_t* order,
                   std::size_t count, std::uint8_t* into) {
  scatter(run, values, order, count, into);
}
void scatterValues(GpuRun& run, const std::int32_t* values, const std::uint32_t* order,
                   std::size_t count, std::int32_t* into) {
  scatter(run, values, order, count, into);
}

void ownersOfPoints(GpuRun& run, const DeviceBuffer<std::uint32_t>& order,
                    const std::vector<std::uint64_t>& counts, DeviceBuffer<std::uint16_t>& into) {
  std::uint64_t first = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] == 0) continue;
    scatterOwner<<<blocksFor(counts[r]), kBlockSize, 0, run.stream()>>>(
        static_cast<std::uint16_t>(r), order.data() + first, counts[r], into.data());
    CUDA_CHECK_LAUNCH();
    first += counts[r];
  }
}

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

std::vector<std::uint64_t> placesOf(GpuRun& run, const DeviceBuffer<std::uint32_t>& values,
                                    const std::vector<std::uint64_t>& limits) {
  DeviceBuffer<std::uint64_t> asked(run.lease(), limits.size());
  DeviceBuffer<std::uint64_t> places(run.lease(), limits.size());
  asked.upload(limits);
  findPlaces<<<blocksFor(limits.size()), kBlockSize, 0, run.stream()>>>(
      values.data(), static_cast<std::uint32_t>(values.size()), asked.data(), limits.size(),
      places.data());
  CUDA_CHECK_LAUNCH();
  std::vector<std::uint64_t> here(limits.size());
  places.download(here);
  run.wait();
  return here;
}

void subtract(GpuRun& run, std::uint32_t* values, std::size_t count, std::uint32_t by) {
  if (count == 0 || by == 0) return;
  subtractFromAll<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(values, count, by);
  CUDA_CHECK_LAUNCH();
}

void markPoints(GpuRun& run, const std::uint32_t* order, std::uint32_t* places, std::size_t count,
                std::uint32_t* marks) {
  if (count == 0) return;
  markThem<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(order, places, count, marks);
  CUDA_CHECK_LAUNCH();
}

void numbersOfPoints(GpuRun& run, const std::uint32_t* before, std::uint32_t first,
                     const std::uint32_t* points, std::size_t count, std::int32_t* into) {
  if (count == 0) return;
  numberThem<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(before, first, points, count, into);
  CUDA_CHECK_LAUNCH();
}

void markClusters(GpuRun& run, const std::int32_t* clusters, std::size_t count,
                  std::uint8_t* flags) {
  if (count == 0) return;
  mark<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(clusters, count, flags);
  CUDA_CHECK_LAUNCH();
}

void linksOfCopies(GpuRun& run, const std::int32_t* own, const std::int32_t* theirs,
                   std::size_t copies, DeviceBuffer<std::uint64_t>& links, std::uint32_t* count) {
  const Lease lease = run.lease();
  links = DeviceBuffer<std::uint64_t>(lease, copies);
  const unsigned blocks = blocksFor(copies);
  DeviceBuffer<std::uint64_t> all(lease, copies);
  makeLinks<<<blocks, kBlockSize, 0, run.stream()>>>(own, theirs, copies, all.data());
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
