#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/cuda/product/product_tiles.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {

// What is done with pairs that bytes leave open, by kernels of their own: matrix units would wait
// for the rows that are read here. A job has
//   work()                the views of rows and lists: members queries, points, wordWidth, dims,
//                         exactQueries, exactPoints, open, close, stop
//   wants(pair)           whether the pair is of any use
//   decide(pair, square)  1: taken, −1: left, 0: open by the squared distance of 16-bit coordinates
//   take(pair)            takes a pair
//   exact(pair, square)   does what is right with the canonical squared distance
// Pairs are positions of a query and a point.

namespace pairStages {

inline constexpr std::uint32_t kWhole = 0xffffffffU;  ///< mask of a warp

/// The squared distance of eight 16-bit coordinates of two points each; in one scale, no difference
/// overflows.
__device__ inline std::uint32_t squareOfWords(const int4& a, const int4& b) {
  std::uint32_t square = 0;
  const auto add = [&](int x, int y) {
    const int low = std::int16_t(x) - std::int16_t(y);
    const int high = (x >> 16) - (y >> 16);
    square += std::uint32_t(low * low) + std::uint32_t(high * high);
  };
  add(a.x, b.x);
  add(a.y, b.y);
  add(a.z, b.z);
  add(a.w, b.w);
  return square;
}

/// Adds every `lanes`-th chunk of two rows of 16-bit coordinates from chunk `part` on; the sum of
/// all is below 2³¹.
template <class Work>
__device__ inline std::uint32_t squareOfRows(const Work& w, const uint2& pair, unsigned part,
                                             unsigned lanes) {
  const auto* const x =
      reinterpret_cast<const int4*>(w.queries.words + std::size_t(pair.x) * w.wordWidth);
  const auto* const y =
      reinterpret_cast<const int4*>(w.points.words + std::size_t(pair.y) * w.wordWidth);
  std::uint32_t square = 0;
  for (std::uint32_t j = part; j < w.wordWidth / 8; j += lanes) square += squareOfWords(x[j], y[j]);
  return square;
}

/// Pairs that a list holds.
__device__ inline std::uint64_t heldBy(const PairsThere& list) {
  const unsigned long long count = *list.count;
  return count < list.capacity ? count : list.capacity;
}

// A warp takes 32 pairs: `kLanes` lanes, a power of two, compare the rows of one after another.
template <class Job, unsigned kLanes>
__global__ void __launch_bounds__(kBlockSize) compareWords(const __grid_constant__ Job job) {
  const auto& w = job.work();
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t count = heldBy(w.open);
  const std::uint64_t step = std::uint64_t(gridDim.x) * blockDim.x;
  for (std::uint64_t first = threadNumber() - lane; first < count; first += step) {
    if (__any_sync(kWhole, *static_cast<const volatile std::uint32_t*>(w.stop) != 0)) return;
    const uint2 mine = w.open.pairs[first + lane < count ? first + lane : first];
    std::uint32_t open = 0;
    std::uint32_t taken = 0;
#pragma unroll 4
    for (unsigned turn = 0; turn < kLanes; ++turn) {
      const int from = int(lane / kLanes * kLanes + turn);
      const uint2 pair = {__shfl_sync(kWhole, mine.x, from), __shfl_sync(kWhole, mine.y, from)};
      const bool wanted = job.wants(pair);
      std::uint32_t square = wanted ? squareOfRows(w, pair, lane % kLanes, kLanes) : 0;
      for (unsigned apart = kLanes / 2; apart > 0; apart /= 2)
        square += __shfl_xor_sync(kWhole, square, int(apart));
      const int decision =
          wanted && lane % kLanes == 0 ? job.decide(pair, std::int32_t(square)) : -1;
      open |= __ballot_sync(kWhole, decision == 0) << turn;
      taken |= __ballot_sync(kWhole, decision > 0) << turn;
    }
    const std::uint32_t here = count - first < 32 ? (1U << (count - first)) - 1 : kWhole;
    if ((taken & here) >> lane & 1U) job.take(mine);
    open &= here;
    if (open == 0) continue;
    unsigned long long at = 0;
    if (lane == 0) at = atomicAdd(w.close.count, static_cast<unsigned long long>(__popc(open)));
    at = __shfl_sync(kWhole, at, 0);
    if ((open >> lane & 1U) != 0) w.close.pairs[at + __popc(open & ((1U << lane) - 1))] = mine;
  }
}

inline constexpr unsigned kWarpsOfExact = 4;

__device__ inline std::size_t placeOf(const ExactRows& rows, std::uint32_t position) {
  return (rows.pointIds != nullptr ? rows.pointIds[position] : position) * rows.ofPoint;
}

// A warp takes 32 pairs. All lanes read the rows of one pair after the other and square the
// differences; then each lane adds those of its own pair, in the order of the predicate.
template <class Job>
__global__ void __launch_bounds__(32 * kWarpsOfExact)
    exactSquares(const __grid_constant__ Job job) {
  __shared__ double squares[kWarpsOfExact][32][33];
  const auto& w = job.work();
  const unsigned lane = threadIdx.x % 32;
  auto& mine = squares[threadIdx.x / 32];
  const std::uint64_t count = heldBy(w.close);
  const std::uint64_t step = std::uint64_t(gridDim.x) * blockDim.x;
  for (std::uint64_t first = threadNumber() - lane; first < count; first += step) {
    if (__any_sync(kWhole, *static_cast<const volatile std::uint32_t*>(w.stop) != 0)) return;
    const bool here = first + lane < count;
    const uint2 pair = w.close.pairs[here ? first + lane : first];
    const std::size_t placeX = placeOf(w.exactQueries, pair.x);
    const std::size_t placeY = placeOf(w.exactPoints, pair.y);
    double sum = 0;
    for (std::uint32_t from = 0; from < w.dims; from += 32) {
      const std::uint32_t j = from + lane;
#pragma unroll 8
      for (int i = 0; i < 32; ++i) {
        const std::size_t x = __shfl_sync(kWhole, placeX, i);
        const std::size_t y = __shfl_sync(kWhole, placeY, i);
        double difference = 0;
        if (j < w.dims)
          difference = w.exactQueries.first[x + j * w.exactQueries.ofDim] -
                       w.exactPoints.first[y + j * w.exactPoints.ofDim];
        mine[i][lane] = difference * difference;
      }
      __syncwarp();
      // What is beyond the last dimension adds nothing.
      for (int c = 0; c < 32; ++c) sum += mine[lane][c];
      __syncwarp();
    }
    if (here) job.exact(pair, sum);
  }
}

/// Blocks of this size for at most `most` pairs, a thread for each.
inline unsigned blocksForPairs(const GpuRun& run, std::uint64_t most, unsigned threads) {
  constexpr unsigned kOfMultiprocessor = 16;
  const std::uint64_t fill = std::uint64_t(run.device().multiprocessors()) * kOfMultiprocessor;
  return unsigned(std::clamp<std::uint64_t>((most + threads - 1) / threads, 1, fill));
}

/// Queues exactSquares for the pairs of `close`, of which there are at most `most`.
template <class Job>
void launchExact(GpuRun& run, const Job& job, std::uint64_t most, KernelLog& log) {
  constexpr unsigned kThreads = 32 * kWarpsOfExact;
  const auto exact = exactSquares<Job>;
  const unsigned blocks = blocksForPairs(run, most, kThreads);
  log.time(run.stream(), {"exact distances", reinterpret_cast<const void*>(exact), kThreads, 0},
           [&] { exact<<<blocks, kThreads, 0, run.stream()>>>(job); });
}

/// Queues both for the pairs of `open`, of which there are at most `most`.
template <class Job>
void launch(GpuRun& run, const Job& job, std::uint64_t most, KernelLog& log) {
  CUDA_CHECK(cudaMemsetAsync(job.work().close.count, 0, sizeof(unsigned long long), run.stream()));
  const std::uint32_t chunks = job.work().wordWidth / 8;
  const auto words = chunks <= 1   ? compareWords<Job, 1>
                     : chunks <= 2 ? compareWords<Job, 2>
                     : chunks <= 4 ? compareWords<Job, 4>
                                   : compareWords<Job, 8>;
  const unsigned blocks = blocksForPairs(run, most, kBlockSize);
  log.time(run.stream(), {"compare words", reinterpret_cast<const void*>(words), kBlockSize, 0},
           [&] { words<<<blocks, kBlockSize, 0, run.stream()>>>(job); });
  launchExact(run, job, most, log);
}

}  // namespace pairStages
}  // namespace clusterloom
