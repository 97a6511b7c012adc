#include "engine/cuda/product/product_tiles.h"

#include <algorithm>

#include "engine/core/predicate.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

// A block of eight warps multiplies a tile of 128 queries with one tile of points after the other.
// A warp holds the sums of 64 × 32 pairs. Rows come in slices of `kSlice` bytes through a pipeline
// of asynchronous copies; rows of queries that are short stay in shared memory for all tiles.
// Chunks of 16 bytes are placed so that eight rows of a matrix lie in different banks.

constexpr int kTile = kProductTile;
constexpr int kThreads = 256;
constexpr int kStages = 3;
constexpr std::uint32_t kQueue = 1024;           ///< open pairs that wait for a decision
constexpr std::uint32_t kTilesOfItem = 64;       ///< tiles of points that a block takes at once
constexpr std::uint32_t kLongestResident = 384;  ///< with rows of this many bytes two blocks fit

__device__ inline std::uint32_t sharedAddress(const void* p) {
  return std::uint32_t(__cvta_generic_to_shared(p));
}

__device__ inline void copy16([[maybe_unused]] std::uint32_t to,
                              [[maybe_unused]] const void* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
#endif
}

__device__ inline void endOfCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;");
#endif
}

__device__ inline void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
#endif
}

__device__ inline void loadMatrices(std::uint32_t (&r)[4], std::uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
}

__device__ inline void multiplyAdd([[maybe_unused]] int (&c)[4],
                                   [[maybe_unused]] const std::uint32_t (&a)[4],
                                   [[maybe_unused]] std::uint32_t b0,
                                   [[maybe_unused]] std::uint32_t b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

template <int kSlice>
__device__ inline int placeOf(int row, int chunk) {
  if constexpr (kSlice == 128) return chunk ^ (row & 7);
  if constexpr (kSlice == 64) return chunk ^ (row >> 1 & 3);
  return chunk ^ (row >> 2 & 1);
}

// 1: within ε by the 16-bit coordinates, −1: not, 0: open.
__device__ int decisionOfWords(const ProductWork& w, std::uint32_t p, std::uint32_t q) {
  const auto* const x =
      reinterpret_cast<const int4*>(w.queries.words + std::size_t(p) * w.wordWidth);
  const auto* const y =
      reinterpret_cast<const int4*>(w.points.words + std::size_t(q) * w.wordWidth);
  std::uint32_t square = 0;  // below 2³¹
  const auto add = [&](int a, int b) {
    const int low = std::int16_t(a) - std::int16_t(b);
    const int high = (a >> 16) - (b >> 16);
    square += std::uint32_t(low * low) + std::uint32_t(high * high);
  };
  for (std::uint32_t j = 0; j < w.wordWidth / 8; ++j) {
    const int4 a = x[j];
    const int4 b = y[j];
    add(a.x, b.x);
    add(a.y, b.y);
    add(a.z, b.z);
    add(a.w, b.w);
  }
  const TileReach reach = tileReach(w.byWords, w.queries.wordErrors[p] + w.points.wordErrors[q]);
  const auto found = std::int32_t(square);
  return found <= reach.inside ? 1 : found > reach.outside ? -1 : 0;
}

__device__ inline void list(const ProductWork& w, std::uint32_t p, std::uint32_t q) {
  const unsigned long long at = atomicAdd(w.listed, 1ULL);
  if (at < w.capacity) w.found[at] = {w.queries.pointIds[p], w.points.pointIds[q]};
}

// Not inlined: where it is called, little code keeps the loop in the instruction cache.
__device__ __noinline__ void decide(const ProductWork& w, std::uint32_t p, std::uint32_t q) {
  int inside = decisionOfWords(w, p, q);
  if (inside == 0) {
    const double* const x = w.queries.columns + w.queries.pointIds[p];
    const double* const y = w.points.columns + w.points.pointIds[q];
    const double square = canonicalSquaredDistance(
        w.dims, [&](std::size_t j) { return x[j * w.queries.stride]; },
        [&](std::size_t j) { return y[j * w.points.stride]; });
    inside = withinEps(square, w.squaredEps) ? 1 : -1;
  }
  if (inside > 0) list(w, p, q);
}

__device__ __noinline__ void decideAll(const ProductWork& w, std::uint32_t firstQuery,
                                       const uint2* queue, std::uint32_t queued) {
  for (std::uint32_t e = threadIdx.x; e < min(queued, kQueue); e += kThreads)
    decide(w, firstQuery + queue[e].x, queue[e].y);
}

// Shared memory of a block, in this order.
template <int kSlice, bool kResident>
struct BlockMemory {
  static constexpr int kSliceOfTile = kTile * kSlice;
  static constexpr int kStage = kResident ? kSliceOfTile : 2 * kSliceOfTile;
  unsigned char* stages;
  unsigned char* rows;  // of the queries, slice by slice, where they stay
  uint2* queue;

  static std::size_t bytes(std::uint32_t width) {
    return kStages * kStage + (kResident ? std::size_t{kTile} * width : 0) + kQueue * sizeof(uint2);
  }
  __device__ BlockMemory(unsigned char* raw, std::uint32_t width)
      : stages(raw),
        rows(raw + kStages * kStage),
        queue(reinterpret_cast<uint2*>(rows + (kResident ? kTile * width : 0))) {}
};

// Copies one slice of 128 rows to shared memory.
template <int kSlice>
__device__ inline void copySlice(const std::int8_t* rows, std::uint32_t tile, std::uint32_t width,
                                 int slice, unsigned char* to) {
  constexpr int kChunks = kSlice / 16;
  for (int e = int(threadIdx.x); e < kTile * kChunks; e += kThreads) {
    const int row = e / kChunks;
    const int chunk = e % kChunks;
    copy16(sharedAddress(to + row * kSlice + placeOf<kSlice>(row, chunk) * 16),
           rows + (std::size_t(tile) * kTile + row) * width + slice * kSlice + chunk * 16);
  }
}

using Sums = int[4][4][4];

template <int kSlice>
__device__ inline void multiplySlices(const unsigned char* a, const unsigned char* b, int firstRow,
                                      int firstColumn, Sums& sums) {
  const int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int k = 0; k < kSlice / 32; ++k) {
    std::uint32_t fa[4][4];
    std::uint32_t fb[2][4];
#pragma unroll
    for (int m = 0; m < 4; ++m) {
      const int row = firstRow + m * 16 + (lane & 15);
      loadMatrices(
          fa[m], sharedAddress(a + row * kSlice + placeOf<kSlice>(row, k * 2 + (lane >> 4)) * 16));
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = firstColumn + h * 16 + (lane & 7) + ((lane >> 4) << 3);
      loadMatrices(fb[h], sharedAddress(b + row * kSlice +
                                        placeOf<kSlice>(row, k * 2 + ((lane >> 3) & 1)) * 16));
    }
#pragma unroll
    for (int m = 0; m < 4; ++m)
#pragma unroll
      for (int n = 0; n < 4; ++n)
        multiplyAdd(sums[m][n], fa[m], fb[n >> 1][(n & 1) * 2], fb[n >> 1][(n & 1) * 2 + 1]);
  }
}

// What is left to each pair at the start, from the reach of the two tiles. Returns the sum from
// which a pair is inside for certain.
__device__ inline int startSums(const ProductWork& w, std::uint32_t tileA, std::uint32_t tileB,
                                int firstRow, int firstColumn, Sums& sums) {
  const int lane = int(threadIdx.x) % 32;
  const TileReach reach =
      tileReach(w.byBytes, w.queries.tileErrors[tileA] + w.points.tileErrors[tileB]);
  const std::int32_t* const normsA = w.queries.norms + tileA * kTile + firstRow + (lane >> 2);
  const std::int32_t* const normsB = w.points.norms + tileB * kTile + firstColumn + (lane & 3) * 2;
  int ofRows[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) ofRows[r] = normsA[r * 8];
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int2 ofColumns = *reinterpret_cast<const int2*>(normsB + n * 8);
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      int* const two = sums[r / 2][n] + r % 2 * 2;
      two[0] = startOfProduct(reach.outside, ofRows[r], ofColumns.x);
      two[1] = startOfProduct(reach.outside, ofRows[r], ofColumns.y);
    }
  }
  return certainSum(reach);
}

// Where pairs are near: those inside for certain to the list, the others to the queue. Little code
// here, and none of it for pairs that are outside.
template <class Queue>
__device__ inline void takeHits(const ProductWork& w, std::uint32_t tileA, std::uint32_t tileB,
                                int firstRow, int firstColumn, int certain, const Sums& sums,
                                const Queue& toQueue) {
  const int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int m = 0; m < 4; ++m) {
    int sign = -1;
#pragma unroll
    for (int n = 0; n < 4; ++n)
      sign &= sums[m][n][0] & sums[m][n][1] & sums[m][n][2] & sums[m][n][3];
    if (sign < 0) continue;
    std::uint32_t hits = 0;
    std::uint32_t sure = 0;
#pragma unroll
    for (int n = 0; n < 4; ++n)
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        hits |= std::uint32_t(sums[m][n][t] >= 0) << (n * 4 + t);
        sure |= std::uint32_t(sums[m][n][t] >= certain) << (n * 4 + t);
      }
    for (; hits != 0; hits &= hits - 1) {
      const int bit = __ffs(int(hits)) - 1;
      const int row = firstRow + m * 16 + (lane >> 2) + (bit & 2) * 4;
      const int column = firstColumn + (bit >> 2) * 8 + (lane & 3) * 2 + (bit & 1);
      if (w.oneCloud && tileA == tileB && column < row) continue;
      const std::uint32_t q = tileB * kTile + std::uint32_t(column);
      if ((sure >> bit & 1) != 0)
        list(w, tileA * kTile + std::uint32_t(row), q);
      else
        toQueue(std::uint32_t(row), q);
    }
  }
}

// One tile of queries against `count` tiles of points.
template <int kSlice, bool kResident>
__device__ inline void multiplyTiles(const ProductWork& w, std::uint32_t tileA,
                                     const std::uint32_t* tiles, int count,
                                     const BlockMemory<kSlice, kResident>& memory,
                                     std::uint32_t& queued) {
  using Memory = BlockMemory<kSlice, kResident>;
  const int warp = int(threadIdx.x) / 32;
  const int firstRow = warp / 4 * 64;
  const int firstColumn = warp % 4 * 32;
  const int slices = int(w.byteWidth) / kSlice;
  const int steps = count * slices;
  const auto load = [&](int step) {
    if (step < steps) {
      unsigned char* const to = memory.stages + step % kStages * Memory::kStage;
      copySlice<kSlice>(w.points.bytes, tiles[step / slices], w.byteWidth, step % slices, to);
      if constexpr (!kResident)
        copySlice<kSlice>(w.queries.bytes, tileA, w.byteWidth, step % slices,
                          to + Memory::kSliceOfTile);
    }
    endOfCopies();
  };
  if constexpr (kResident)
    for (int s = 0; s < slices; ++s)
      copySlice<kSlice>(w.queries.bytes, tileA, w.byteWidth, s,
                        memory.rows + s * Memory::kSliceOfTile);
  for (int s = 0; s < kStages - 1; ++s) load(s);
  const auto toQueue = [&](std::uint32_t row, std::uint32_t q) {
    const std::uint32_t at = atomicAdd(&queued, 1U);
    if (at < kQueue)
      memory.queue[at] = {row, q};
    else
      decide(w, tileA * kTile + row, q);
  };
  // All threads decide open pairs together, so that no warp waits for another one's distances.
  const auto drain = [&] {
    decideAll(w, tileA * kTile, memory.queue, queued);
    __syncthreads();
    if (threadIdx.x == 0) queued = 0;
    __syncthreads();
  };
  Sums sums;
  int certain = 0;
  for (int step = 0; step < steps; ++step) {
    waitForCopies();
    // Whether the queue is due is one decision of the block: a fast warp would change it while a
    // slow one reads it.
    const bool due = __syncthreads_or(threadIdx.x == 0 && queued >= kQueue / 2) != 0;
    load(step + kStages - 1);
    if (due) drain();
    const std::uint32_t tileB = tiles[step / slices];
    const int slice = step % slices;
    if (slice == 0) certain = startSums(w, tileA, tileB, firstRow, firstColumn, sums);
    const unsigned char* const b = memory.stages + step % kStages * Memory::kStage;
    const unsigned char* const a =
        kResident ? memory.rows + slice * Memory::kSliceOfTile : b + Memory::kSliceOfTile;
    multiplySlices<kSlice>(a, b, firstRow, firstColumn, sums);
    if (slice == slices - 1)
      takeHits(w, tileA, tileB, firstRow, firstColumn, certain, sums, toQueue);
  }
  __syncthreads();
  drain();
}

template <int kSlice, bool kResident>
__global__ void __launch_bounds__(kThreads, 2) productTiles(const __grid_constant__ ProductWork w) {
  extern __shared__ __align__(128) unsigned char raw[];
  __shared__ std::uint32_t queued;
  __shared__ std::uint32_t nextItem;
  const BlockMemory<kSlice, kResident> memory(raw, w.byteWidth);
  if (threadIdx.x == 0) queued = 0;
  const std::uint32_t items = (w.near.stride + kTilesOfItem - 1) / kTilesOfItem;  // of a row
  for (;;) {
    if (threadIdx.x == 0)
      nextItem = *static_cast<const volatile std::uint32_t*>(w.stop) == 0
                     ? atomicAdd(w.near.head, 1U)
                     : ~std::uint32_t{0};
    __syncthreads();
    const std::uint32_t item = nextItem;
    __syncthreads();
    if (item >= w.near.rows * items) return;
    const std::uint32_t row = item / items;
    const std::uint32_t from = item % items * kTilesOfItem;
    const std::uint32_t length = w.near.length[row];
    if (from < length)
      multiplyTiles<kSlice, kResident>(w, w.near.first + row,
                                       w.near.tiles + std::size_t(row) * w.near.stride + from,
                                       int(min(kTilesOfItem, length - from)), memory, queued);
  }
}

template <int kSlice, bool kResident>
void launch(GpuRun& run, const ProductWork& work, KernelLog& log) {
  const auto kernel = productTiles<kSlice, kResident>;
  const std::size_t bytes = BlockMemory<kSlice, kResident>::bytes(work.byteWidth);
  const auto function = reinterpret_cast<const void*>(kernel);
  CUDA_CHECK(
      cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, bytes));
  const auto grid = unsigned(std::max(1, blocks) * run.device().multiprocessors());
  log.time(run.stream(), {"product tiles", function, kThreads, bytes},
           [&] { kernel<<<grid, kThreads, bytes, run.stream()>>>(work); });
}

}  // namespace

RoundedView viewOf(const RoundedCloud& cloud) {
  return {.bytes = cloud.bytes.data(),
          .norms = cloud.norms.data(),
          .tileErrors = cloud.tileErrors.data(),
          .words = cloud.words.data(),
          .wordErrors = cloud.wordErrors.data(),
          .pointIds = cloud.pointIds.data(),
          .columns = cloud.cloud->column(0),
          .stride = cloud.cloud->stride(),
          .size = cloud.size};
}

void launchProductTiles(GpuRun& run, const ProductWork& work, KernelLog& log) {
  const bool resident = work.byteWidth <= kLongestResident;
  if (work.byteWidth == 32) return launch<32, true>(run, work, log);
  if (work.byteWidth % 128 != 0)
    return resident ? launch<64, true>(run, work, log) : launch<64, false>(run, work, log);
  return resident ? launch<128, true>(run, work, log) : launch<128, false>(run, work, log);
}

}  // namespace clusterloom
