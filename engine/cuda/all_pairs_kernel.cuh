#pragma once

#include <algorithm>
#include <string_view>

#include "engine/cuda/all_pairs.h"
#include "engine/cuda/cuda_lane.h"
#include "engine/cuda/launch.h"

// The kernel behind the passes over all pairs. A Work says what becomes of the neighbours:
//   wanted(p)       whether point p asks at all
//   start(p)        the hit function of p's lane, with enough(): nothing more is needed
//   finish(p, hit)  after the last candidate of this launch; later launches start(p) again

namespace clusterloom {

/// Numbers [begin, end).
struct Span32 {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Candidates between two looks at the stop word.
inline constexpr std::uint32_t kCandidatesPerLook = 1024;

/// One thread a point of `rows`, over candidates `steps`. Each thread keeps its own coordinates in
/// shared memory, for an array of them in a thread would lie in local memory (004 §3.1).
template <CandidateAccess access, class Work>
__global__ void __launch_bounds__(kLargestAllPairsBlock)
    allPairsPass(const __grid_constant__ AllPairs all, const __grid_constant__ Span32 rows,
                 const __grid_constant__ Span32 steps, const __grid_constant__ Work work,
                 std::uint64_t* calculations, const std::uint32_t* stop) {
  extern __shared__ double coordinates[];
  CudaLane lane;
  const std::uint32_t block = blockDim.x;
  const std::uint32_t thread = threadIdx.x;
  const std::uint32_t p = rows.begin + static_cast<std::uint32_t>(threadNumber());
  const bool mine = p < rows.end && work.wanted(p);
  if (mine)
    for (std::uint32_t j = 0; j < all.dims; ++j)
      coordinates[j * block + thread] = all.points.first[j * all.points.stride + p];
  const ItemOf own{{coordinates, block}, thread};
  auto hit = work.start(mine ? p : rows.begin);
  bool busy = mine && !hit.enough();
  std::uint64_t done = 0;

  if constexpr (access == CandidateAccess::Staged) {
    double* tile = coordinates + static_cast<std::size_t>(all.dims) * block;
    for (std::uint32_t first = steps.begin; first < steps.end; first += block) {
      const std::uint32_t end = min(first + block, steps.end);
      // The block goes on together while anybody has work and has not heard of a stop.
      if (!__syncthreads_or(busy && lane.load(stop) == 0)) break;
      for (std::uint32_t j = 0; j < all.dims; ++j)
        if (first + thread < end)
          tile[j * block + thread] = all.points.first[j * all.points.stride + first + thread];
      __syncthreads();
      if (busy) {
        done += visitNeighbours(lane, all, own, InOrder{{tile, block}, first}, first, end, hit);
        busy = !hit.enough();
      }
    }
  } else {
    for (std::uint32_t first = steps.begin; first < steps.end && busy;
         first += kCandidatesPerLook) {
      if (lane.load(stop) != 0) break;
      const std::uint32_t end = min(first + kCandidatesPerLook, steps.end);
      if constexpr (access == CandidateAccess::Shifted)
        done += visitNeighbours(lane, all, own, Shifted{all.points, 0, thread % all.size, all.size},
                                first, end, hit);
      else
        done += visitNeighbours(lane, all, own, InOrder{all.points}, first, end, hit);
      busy = !hit.enough();
    }
  }
  if (mine) work.finish(p, hit);
  __syncwarp();
  for (int apart = 16; apart > 0; apart /= 2) done += __shfl_xor_sync(0xffffffffU, done, apart);
  if (lane.id() == 0 && done > 0) lane.add(calculations, done);
}

/// Threads of a block and the shared memory it needs: as many as fit and are allowed.
struct AllPairsShape {
  unsigned block = 0;
  std::size_t sharedBytes = 0;
};
AllPairsShape allPairsShape(const AllPairsRun& join);

/// Coordinates compared by one launch: some 50 ms on a fast GPU, so that progress moves.
inline constexpr std::uint64_t kCoordinatesPerLaunch = 1ULL << 37;

template <CandidateAccess access, class Work>
void runAllPairsBy(AllPairsRun& join, const char* name, std::string_view stage, Span32 rows,
                   const Work& work) {
  if (rows.begin >= rows.end) return;
  GpuRun& run = join.run;
  const auto kernel = allPairsPass<access, Work>;
  const auto function = reinterpret_cast<const void*>(kernel);
  const AllPairsShape shape = allPairsShape(join);
  CUDA_CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shape.sharedBytes)));
  const std::uint64_t coordinatesAStep =
      static_cast<std::uint64_t>(rows.end - rows.begin) * std::max<std::uint32_t>(1, join.all.dims);
  // Whole tiles, and enough of them for the launch to be worth it.
  const std::uint64_t tiles =
      std::max<std::uint64_t>(4, kCoordinatesPerLaunch / coordinatesAStep / shape.block);
  for (std::uint64_t from = 0; from < join.all.size; from += tiles * shape.block) {
    const Span32 steps{static_cast<std::uint32_t>(from),
                       static_cast<std::uint32_t>(
                           std::min<std::uint64_t>(join.all.size, from + tiles * shape.block))};
    join.times.time({name, function, shape.block, shape.sharedBytes}, [&] {
      kernel<<<blocksFor(rows.end - rows.begin, shape.block), shape.block, shape.sharedBytes,
               run.stream()>>>(join.all, rows, steps, work, join.calculations.data(), run.stop());
    });
    run.wait();
    join.times.settle();
    run.task().report(stage, static_cast<double>(steps.end) / join.all.size);
  }
}

/// Runs `work` for the points of `rows`, candidate by candidate. Waits for it.
template <class Work>
void runAllPairs(AllPairsRun& join, const char* name, std::string_view stage, Span32 rows,
                 const Work& work) {
  switch (join.access) {
    case CandidateAccess::InOrder:
      return runAllPairsBy<CandidateAccess::InOrder>(join, name, stage, rows, work);
    case CandidateAccess::Shifted:
      return runAllPairsBy<CandidateAccess::Shifted>(join, name, stage, rows, work);
    case CandidateAccess::Staged:
      return runAllPairsBy<CandidateAccess::Staged>(join, name, stage, rows, work);
  }
}

}  // namespace clusterloom
