#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/cuda/product/matrix_units.cuh"
#include "engine/cuda/product/product_tiles.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {

// Exact products of rows of bytes, or of 16-bit words as two bytes each, by matrix units, for
// kernels that differ in what a product begins with and what is done with its sum.
//
// A block of eight warps multiplies a tile of 128 queries with one tile of points after the other.
// A warp holds the sums of 64 × 32 pairs. Rows come in slices of `kSlice` bytes through a pipeline
// of asynchronous copies; rows of queries that are short stay in shared memory for all tiles.
// Chunks of 16 bytes are placed so that eight rows of a matrix lie in different banks.

namespace byteProduct {

inline constexpr int kTile = kProductTile;
inline constexpr int kThreads = 256;
inline constexpr int kBytesOfStep = 128;           ///< of each row of words
inline constexpr std::uint32_t kQueue = 1024;      ///< pairs that wait in shared memory
inline constexpr std::uint32_t kTilesOfItem = 64;  ///< tiles of points that a block takes at once
/// With rows of this many bytes two blocks fit.
inline constexpr std::uint32_t kLongestResident = 384;

template <int kSlice>
__device__ inline int placeOf(int row, int chunk) {
  if constexpr (kSlice == 128) return chunk ^ (row & 7);
  if constexpr (kSlice == 64) return chunk ^ (row >> 1 & 3);
  return chunk ^ (row >> 2 & 1);
}

/// What rows hold: bytes, or words as higher and lower bytes, all of them in one slice.
enum class RowsOf { Bytes, Words };

// Shared memory of a block, in this order. Words have such short slices that a step takes several.
template <RowsOf kRowsOf, int kSlice, bool kResident>
struct BlockMemory {
  static constexpr int kSliceOfTile = kTile * kSlice;
  static constexpr int kPart = kResident ? kSliceOfTile : 2 * kSliceOfTile;
  static constexpr int kParts = kRowsOf == RowsOf::Words ? kBytesOfStep / kSlice : 1;
  static constexpr int kStage = kParts * kPart;
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
  static_assert(kTile * kChunks % kThreads == 0);
#pragma unroll
  for (int turn = 0; turn < kTile * kChunks / kThreads; ++turn) {
    const int e = int(threadIdx.x) + turn * kThreads;
    const int row = e / kChunks;
    const int chunk = e % kChunks;
    copy16(sharedAddress(to + row * kSlice + placeOf<kSlice>(row, chunk) * 16),
           rows + (std::size_t(tile) * kTile + row) * width + slice * kSlice + chunk * 16);
  }
}

using Sums = int[4][4][4];

/// Bytes k·32 … k·32 + 31 of the 16 rows of `a` from `row` on.
template <int kSlice>
__device__ inline void loadRows(std::uint32_t (&fragment)[4], const unsigned char* a, int row,
                                int k) {
  const int lane = int(threadIdx.x) % 32;
  row += lane & 15;
  loadMatrices(fragment,
               sharedAddress(a + row * kSlice + placeOf<kSlice>(row, k * 2 + (lane >> 4)) * 16));
}

/// The same of 32 rows of `b`: of rows 8·n … + 7 at fragment[n / 2][n % 2 · 2], two words each;
/// with `swapped` = 1 the last 16 bytes come first.
template <int kSlice>
__device__ inline void loadColumns(std::uint32_t (&fragment)[2][4], const unsigned char* b,
                                   int firstColumn, int k, int swapped = 0) {
  const int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = firstColumn + h * 16 + (lane & 7) + ((lane >> 4) << 3);
    loadMatrices(fragment[h],
                 sharedAddress(b + row * kSlice +
                               placeOf<kSlice>(row, k * 2 + (((lane >> 3) & 1) ^ swapped)) * 16));
  }
}

template <int kSlice>
__device__ inline void multiplySlices(const unsigned char* a, const unsigned char* b, int firstRow,
                                      int firstColumn, Sums& sums) {
#pragma unroll
  for (int k = 0; k < kSlice / 32; ++k) {
    std::uint32_t fa[4][4];
    std::uint32_t fb[2][4];
#pragma unroll
    for (int m = 0; m < 4; ++m) loadRows<kSlice>(fa[m], a, firstRow + m * 16, k);
    loadColumns<kSlice>(fb, b, firstColumn, k);
#pragma unroll
    for (int m = 0; m < 4; ++m)
#pragma unroll
      for (int n = 0; n < 4; ++n)
        multiplyAdd(sums[m][n], fa[m], fb[n >> 1][(n & 1) * 2], fb[n >> 1][(n & 1) * 2 + 1]);
  }
}

// Rows of words have their higher bytes, then their lower ones, each in half of a slice. Short rows
// have both kinds in one fragment.

/// The part of words that nearly always shows that no pair is near: 256·(h·h' + column's part) +
/// row's part + h·l' + l·h' (partOfRow and partOfColumn in product/product_reach.h). `ofRows` is of
/// the tile's rows, `ofColumns` of the lane's columns.
template <int kSlice>
__device__ inline void multiplyHighBytes(const unsigned char* a, const unsigned char* b,
                                         int firstRow, int firstColumn, const int* ofRows,
                                         const int2 (&ofColumns)[4], Sums& sums) {
  static_assert(kSlice == 32 || kSlice == 64);
  constexpr bool kLong = kSlice == 64;
  std::uint32_t high[2][4];
  std::uint32_t low[2][4];  // of short rows: the same, swapped
  loadColumns<kSlice>(high, b, firstColumn, 0);
  loadColumns<kSlice>(low, b, firstColumn, kLong ? 1 : 0, kLong ? 0 : 1);
  ofRows += firstRow + int(threadIdx.x) % 32 / 4;
#pragma unroll
  for (int m = 0; m < 4; ++m) {
    std::uint32_t rows[4];
    std::uint32_t rowsLow[4];
    loadRows<kSlice>(rows, a, firstRow + m * 16, 0);
    if constexpr (kLong) loadRows<kSlice>(rowsLow, a, firstRow + m * 16, 1);
    const int starts[2] = {ofRows[m * 16], ofRows[m * 16 + 8]};
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      int(&sum)[4] = sums[m][n];
      const std::uint32_t* const h = high[n >> 1] + (n & 1) * 2;
      const std::uint32_t* const l = low[n >> 1] + (n & 1) * 2;
      if constexpr (kLong)
        multiply(sum, rows, h[0], h[1], ofColumns[n]);
      else
        multiplyHalf(sum, rows, h[0], ofColumns[n]);
#pragma unroll
      for (int t = 0; t < 4; ++t) sum[t] = sum[t] * 256 + starts[t / 2];
      multiplyAdd(sum, rows, l[0], l[1]);
      if constexpr (kLong) multiplyAdd(sum, rowsLow, h[0], h[1]);
    }
  }
}

/// Makes the exact sums of 16 rows of them: times 256, with the columns' rests and l·l'.
template <int kSlice>
__device__ inline void addLowBytes(const unsigned char* a, const unsigned char* b, int firstRow,
                                   int firstColumn, const int2 (&rests)[4], int (&sums)[4][4]) {
  constexpr bool kLong = kSlice == 64;
  std::uint32_t low[2][4];
  loadColumns<kSlice>(low, b, firstColumn, kLong ? 1 : 0);
  std::uint32_t rows[4];
  loadRows<kSlice>(rows, a, firstRow, kLong ? 1 : 0);
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    int(&sum)[4] = sums[n];
    const std::uint32_t* const l = low[n >> 1] + (n & 1) * 2;
#pragma unroll
    for (int t = 0; t < 4; ++t) sum[t] = sum[t] * 256 + (t % 2 == 0 ? rests[n].x : rests[n].y);
    if constexpr (kLong)
      multiplyAdd(sum, rows, l[0], l[1]);
    else
      multiplyAddHalf(sum, rows, l[1]);
  }
}

/// The pairs of a tile of which a warp holds the sums: rows firstRow … + 63, columns firstColumn …
/// +
/// 31. Lane l has those of rows 16·m + l / 4 + 8·(t / 2) and columns 8·n + 2·(l % 4) + t % 2, at
/// sums[m][n][t].
struct WarpPart {
  int firstRow;
  int firstColumn;
  __device__ static WarpPart ofThisWarp() {
    const int warp = int(threadIdx.x) / 32;
    return {warp / 4 * 64, warp % 4 * 32};
  }
};

/// Calls start(row, column, two) for the lane's pairs, two neighbouring columns at a time, with
/// values of its rows and columns that `ofRow` and `ofColumns` read once.
template <class OfRow, class OfColumns, class Start>
__device__ inline void startSums(const WarpPart& part, Sums& sums, const OfRow& ofRow,
                                 const OfColumns& ofColumns, const Start& start) {
  const int lane = int(threadIdx.x) % 32;
  decltype(ofRow(0)) rows[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) rows[r] = ofRow(part.firstRow + (lane >> 2) + r * 8);
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const auto columns = ofColumns(part.firstColumn + (lane & 3) * 2 + n * 8);
#pragma unroll
    for (int r = 0; r < 8; ++r) start(rows[r], columns, sums[r / 2][n] + r % 2 * 2);
  }
}

/// Starts the sums of all pairs with the same reach (startOfProduct), from the norms of two tiles.
__device__ inline void startWithReach(const WarpPart& part, Sums& sums, const std::int32_t* normsA,
                                      const std::int32_t* normsB, std::int32_t reach) {
  startSums(
      part, sums, [&](int row) { return normsA[row]; },
      [&](int column) { return *reinterpret_cast<const int2*>(normsB + column); },
      [&](int ofRow, const int2& ofColumns, int* two) {
        two[0] = startOfProduct(reach, ofRow, ofColumns.x);
        two[1] = startOfProduct(reach, ofRow, ofColumns.y);
      });
}

/// Mask of a whole warp.
inline constexpr std::uint32_t kWarp = 0xffffffffU;

/// The 64 pairs of positions of which a lane has the sums, by bits of a mask: bit 16·m + 4·n + t is
/// that of sums[m][n][t].
struct LanePairs {
  std::uint32_t firstRow = 0;
  std::uint32_t firstColumn = 0;
  __device__ uint2 operator()(int bit) const {
    return {firstRow + (bit >> 4) * 16U + (bit & 2) * 4U,
            firstColumn + (bit >> 2 & 3) * 8U + (bit & 1U)};
  }
};

/// Calls act(bit) for the bits that are set, from the highest of each half.
template <class Act>
__device__ inline void forBits(std::uint64_t bits, const Act& act) {
#pragma unroll 1
  for (int half = 0; half < 64; half += 32)
    for (auto left = std::uint32_t(bits >> half); left != 0;) {
      const int bit = 31 - __clz(int(left));
      left ^= 1U << bit;
      act(half + bit);
    }
}

/// Calls hit(pairs, hits, sure), by the whole warp, where the sum of one of its pairs is not
/// negative: `hits` has the lane's pairs with such a sum, `sure` those with a sum ≥ certain. Little
/// code where there are none. refine(m) is called before sums[m] are looked at more closely.
template <class Refine, class Hit>
__device__ inline void forHits(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                               const Sums& sums, int certain, const Refine& refine,
                               const Hit& hit) {
  std::uint32_t hits[2] = {0, 0};
  std::uint32_t sure[2] = {0, 0};
#pragma unroll
  for (int m = 0; m < 4; ++m) {
    int sign = -1;
#pragma unroll
    for (int n = 0; n < 4; ++n)
      sign &= sums[m][n][0] & sums[m][n][1] & sums[m][n][2] & sums[m][n][3];
    if (__any_sync(kWarp, sign >= 0) == 0) continue;
    refine(m);
    // Signs are shifted in one after another; what is not a hit is not looked at in `below`.
    std::uint32_t negative = 0;
    std::uint32_t below = 0;
#pragma unroll
    for (int bit = 15; bit >= 0; --bit) {
      const std::uint32_t sum = std::uint32_t(sums[m][bit / 4][bit % 4]);
      negative = __funnelshift_l(sum, negative, 1);
      below = __funnelshift_l(sum - std::uint32_t(certain), below, 1);
    }
    hits[m / 2] |= (~negative & 0xffffU) << m % 2 * 16;
    sure[m / 2] |= (~below & 0xffffU) << m % 2 * 16;
  }
  if (__any_sync(kWarp, (hits[0] | hits[1]) != 0) == 0) return;
  const auto both = [](const std::uint32_t(&halves)[2]) {
    return std::uint64_t{halves[1]} << 32 | halves[0];
  };
  const unsigned lane = threadIdx.x % 32;
  hit(LanePairs{tileA * kTile + std::uint32_t(part.firstRow) + (lane >> 2),
                tileB * kTile + std::uint32_t(part.firstColumn) + (lane & 3) * 2},
      both(hits), both(hits) & both(sure));
}

/// The next number of a counter for each of the threads that are here: one addition for all of
/// them.
template <class Count>
__device__ inline Count nextOf(Count* counter) {
  const unsigned here = __activemask();
  const unsigned lane = threadIdx.x % 32;
  const int first = __ffs(int(here)) - 1;
  Count at = 0;
  if (lane == unsigned(first)) at = atomicAdd(counter, Count(__popc(here)));
  return __shfl_sync(here, at, first) + Count(__popc(here & ((1U << lane) - 1)));
}

/// Writes pairOf(bit) for the bits behind each other; returns those for which there is no room.
template <class Count, class PairOf>
__device__ inline std::uint64_t writeFrom(uint2* list, Count capacity, Count at, std::uint64_t bits,
                                          const PairOf& pairOf) {
  std::uint64_t left = 0;
  forBits(bits, [&](int bit) {
    if (at < capacity)
      list[at] = pairOf(bit);
    else
      left |= std::uint64_t{1} << bit;
    ++at;
  });
  return left;
}

/// Writes pairOf(bit) for the bits of all lanes of a warp behind each other, with one addition to
/// the list's counter, which also counts what it has no room for: the bits that are returned.
template <class PairOf>
__device__ inline std::uint64_t writePairs(const PairsThere& list, std::uint64_t bits,
                                           const PairOf& pairOf) {
  using Count = unsigned long long;
  const unsigned lane = threadIdx.x % 32;
  const auto mine = std::uint32_t(__popcll(bits));
  std::uint32_t upTo = mine;
  for (unsigned apart = 1; apart < 32; apart *= 2) {
    const std::uint32_t before = __shfl_up_sync(kWarp, upTo, apart);
    if (lane >= apart) upTo += before;
  }
  Count at = 0;
  if (lane == 31 && upTo > 0) at = atomicAdd(list.count, Count(upTo));
  at = __shfl_sync(kWarp, at, 31) + Count(upTo - mine);
  return writeFrom(list.pairs, Count(list.capacity), at, bits, pairOf);
}

/// Where the job of a block puts pairs until all its threads drain them.
struct PairQueue {
  uint2* pairs;
  std::uint32_t* queued;
};

/// The rows of one launch.
struct ByteOperands {
  const std::int8_t* queries = nullptr;
  const std::int8_t* points = nullptr;
  std::uint32_t width = 0;
};

/// Multiplies one tile of queries with `count` tiles of points. A job has drain(), which all
/// threads call where its queue is half full, and at the end; for bytes start(tileA, tileB, part,
/// sums) before a product and take(tileA, tileB, part, sums) after it; for words
/// partOfRow(position) of a query, the address partsOfColumns(position) of those of points,
/// restsOfColumns(position) of two of them, and take with another argument, refine(m), which makes
/// sums[m] exact.
template <RowsOf kRowsOf, int kSlice, bool kResident, class Job>
__device__ inline void multiplyTiles(const ByteOperands& rows, std::uint32_t tileA,
                                     const std::uint32_t* tiles, int count,
                                     const BlockMemory<kRowsOf, kSlice, kResident>& memory,
                                     std::uint32_t& queued, Job& job) {
  using Memory = BlockMemory<kRowsOf, kSlice, kResident>;
  const WarpPart part = WarpPart::ofThisWarp();
  const int slices = int(rows.width) / kSlice;
  const int parts = count * slices;
  constexpr bool kWords = kRowsOf == RowsOf::Words;
  // Of the tile's rows, and of the points that are in the pipeline.
  __shared__ int partsOfRows[kWords ? kTile : 1];
  __shared__ __align__(16) int partsOfColumns[kWords ? kStages * Memory::kStage / kSlice : 1];
  const auto load = [&](int step) {
    for (int i = 0; i < Memory::kParts; ++i) {
      const int at = step * Memory::kParts + i;
      if (at >= parts) break;
      unsigned char* const to = memory.stages + step % kStages * Memory::kStage + i * Memory::kPart;
      copySlice<kSlice>(rows.points, tiles[at / slices], rows.width, at % slices, to);
      if constexpr (!kResident)
        copySlice<kSlice>(rows.queries, tileA, rows.width, at % slices, to + Memory::kSliceOfTile);
      if constexpr (kWords)
        if (threadIdx.x < kTile / 4)
          copy16(sharedAddress(partsOfColumns + (to - memory.stages) / kSlice + threadIdx.x * 4),
                 job.partsOfColumns(tiles[at] * kTile + threadIdx.x * 4));
    }
    endOfCopies();
  };
  if constexpr (kResident)
    for (int s = 0; s < slices; ++s)
      copySlice<kSlice>(rows.queries, tileA, rows.width, s, memory.rows + s * Memory::kSliceOfTile);
  for (int s = 0; s < kStages - 1; ++s) load(s);
  const auto drain = [&] {
    job.drain();
    __syncthreads();
    if (threadIdx.x == 0) queued = 0;
    __syncthreads();
  };
  Sums sums;
  if constexpr (kWords)
    if (threadIdx.x < kTile) partsOfRows[threadIdx.x] = job.partOfRow(tileA * kTile + threadIdx.x);
  for (int step = 0; step * Memory::kParts < parts; ++step) {
    waitForCopies();
    // Whether the queue is due is one decision of the block: a fast warp would change it while a
    // slow one reads it.
    const bool due = __syncthreads_or(threadIdx.x == 0 && queued >= kQueue / 2) != 0;
    load(step + kStages - 1);
    if (due) drain();
#pragma unroll 1
    for (int i = 0; i < Memory::kParts; ++i) {
      const int at = step * Memory::kParts + i;
      if (at >= parts) break;
      const std::uint32_t tileB = tiles[at / slices];
      const int slice = at % slices;
      const unsigned char* const b =
          memory.stages + step % kStages * Memory::kStage + i * Memory::kPart;
      const unsigned char* const a =
          kResident ? memory.rows + slice * Memory::kSliceOfTile : b + Memory::kSliceOfTile;
      if constexpr (kWords) {
        const int column = part.firstColumn + int(threadIdx.x) % 4 * 2;
        const int* const parts = partsOfColumns + (b - memory.stages) / kSlice + column;
        int2 ofColumns[4];
#pragma unroll
        for (int n = 0; n < 4; ++n) ofColumns[n] = *reinterpret_cast<const int2*>(parts + n * 8);
        multiplyHighBytes<kSlice>(a, b, part.firstRow, part.firstColumn, partsOfRows, ofColumns,
                                  sums);
        job.take(tileA, tileB, part, sums, [&](int m) {
          int2 rests[4];
#pragma unroll
          for (int n = 0; n < 4; ++n)
            rests[n] = job.restsOfColumns(tileB * kTile + std::uint32_t(column) + n * 8U);
          addLowBytes<kSlice>(a, b, part.firstRow + m * 16, part.firstColumn, rests, sums[m]);
        });
      } else {
        if (slice == 0) job.start(tileA, tileB, part, sums);
        multiplySlices<kSlice>(a, b, part.firstRow, part.firstColumn, sums);
        if (slice == slices - 1) job.take(tileA, tileB, part, sums);
      }
    }
  }
  __syncthreads();
  drain();
}

/// Queues pairs of a lane; returns the bits for which the queue has no room.
template <class PairOf>
__device__ inline std::uint64_t push(const PairQueue& queue, std::uint64_t bits,
                                     const PairOf& pairOf) {
  if (bits == 0) return 0;
  const std::uint32_t at = atomicAdd(queue.queued, std::uint32_t(__popcll(bits)));
  return writeFrom(queue.pairs, kQueue, at, bits, pairOf);
}

/// Appends a pair to a list; false where the list is full.
__device__ inline bool append(const PairsThere& list, const uint2& pair) {
  const unsigned long long at = nextOf(list.count);
  if (at >= list.capacity) return false;
  list.pairs[at] = pair;
  return true;
}

/// Calls act(pair) for the queued pairs, by all threads.
template <class Act>
__device__ inline void forQueued(const PairQueue& queue, const Act& act) {
  for (std::uint32_t i = threadIdx.x; i < min(*queue.queued, kQueue); i += kThreads)
    act(queue.pairs[i]);
}

/// All tiles of a launch, with a job of each block's own, made by makeJob(queue).
template <int kSlice, bool kResident, RowsOf kRowsOf = RowsOf::Bytes, class MakeJob>
__device__ inline void multiplyNearTiles(const ByteOperands& rows, const NearTiles& near,
                                         const std::uint32_t* stop, const MakeJob& makeJob) {
  extern __shared__ __align__(128) unsigned char raw[];
  __shared__ std::uint32_t queued;
  __shared__ std::uint32_t nextItem;
  const BlockMemory<kRowsOf, kSlice, kResident> memory(raw, rows.width);
  auto job = makeJob(PairQueue{memory.queue, &queued});
  if (threadIdx.x == 0) queued = 0;
  const std::uint32_t items = (near.stride + kTilesOfItem - 1) / kTilesOfItem;  // of a row
  for (;;) {
    if (threadIdx.x == 0)
      nextItem = *static_cast<const volatile std::uint32_t*>(stop) == 0 ? atomicAdd(near.head, 1U)
                                                                        : ~std::uint32_t{0};
    __syncthreads();
    const std::uint32_t item = nextItem;
    __syncthreads();
    if (item >= near.rows * items) return;
    const std::uint32_t row = item / items;
    const std::uint32_t from = item % items * kTilesOfItem;
    const std::uint32_t length = near.length[row];
    if (from < length)
      multiplyTiles(rows, near.first + row, near.tiles + std::size_t(row) * near.stride + from,
                    int(min(kTilesOfItem, length - from)), memory, queued, job);
  }
}

/// Launches a kernel of one argument, the work; false where blocks have too little memory for it,
/// as of compute capability 8.6.
template <int kSlice, bool kResident, RowsOf kRowsOf = RowsOf::Bytes, class Work>
bool launchInstance(GpuRun& run, KernelLog& log, const char* name, std::uint32_t width,
                    void (*kernel)(Work), const Work& work) {
  const std::size_t bytes = BlockMemory<kRowsOf, kSlice, kResident>::bytes(width);
  const auto function = reinterpret_cast<const void*>(kernel);
  if (bytes > allowSharedMemory(run.device(), function)) return false;
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, bytes));
  const auto grid = unsigned(std::max(1, blocks) * run.device().multiprocessors());
  log.time(run.stream(), {name, function, kThreads, bytes},
           [&] { kernel<<<grid, kThreads, bytes, run.stream()>>>(work); });
  return true;
}

/// Launches the instance for rows of bytes of that width, kernels<kSlice, kResident>().
template <class Kernels, class Work>
void launchForWidth(GpuRun& run, KernelLog& log, const char* name, std::uint32_t width,
                    const Kernels& kernels, const Work& work) {
  const auto launch = [&]<int kSlice, bool kResident>() {
    return launchInstance<kSlice, kResident>(
        run, log, name, width, kernels.template operator()<kSlice, kResident>(), work);
  };
  const bool resident = width <= kLongestResident;
  const bool wide = width % 128 == 0;
  bool launched = width == 32 && launch.template operator()<32, true>();
  if (!launched && resident && wide) launched = launch.template operator()<128, true>();
  if (!launched && resident && width != 32) launched = launch.template operator()<64, true>();
  if (!launched && !resident && wide) launched = launch.template operator()<128, false>();
  if (!launched && width != 32) launched = launch.template operator()<64, false>();
  CUDA_CHECK(launched ? cudaSuccess : cudaErrorInvalidConfiguration);
}

}  // namespace byteProduct
}  // namespace clusterloom
