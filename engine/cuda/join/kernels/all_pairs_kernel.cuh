#pragma once

#include <algorithm>
#include <string_view>

#include "engine/cuda/join/kernels/all_pairs.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"

// The kernel behind the passes over all pairs.

namespace clusterloom {

template <CandidateAccess access, class Work>
__global__ void __launch_bounds__(kLargestAllPairsBlock)
    allPairsKernel(const __grid_constant__ AllPairs all, const __grid_constant__ Span32 rows,
                   const __grid_constant__ Span32 steps, const __grid_constant__ Work work,
                   const __grid_constant__ PassWords words) {
  CudaLane lane;
  allPairsPass<access>(lane, all, rows, steps, work, words);
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
  const GpuPhase phase(name);
  GpuRun& run = join.run;
  const auto kernel = allPairsKernel<access, Work>;
  const auto function = reinterpret_cast<const void*>(kernel);
  const AllPairsShape shape = allPairsShape(join);
  allowSharedMemory(run.device(), function);
  const std::uint64_t coordinatesAStep =
      std::uint64_t(rows.end - rows.begin) * std::max<std::uint32_t>(1, join.all.dims);
  // Whole tiles, and enough of them for the launch to be worth it.
  const std::uint64_t tiles =
      std::max<std::uint64_t>(4, kCoordinatesPerLaunch / coordinatesAStep / shape.block);
  for (std::uint64_t from = 0; from < join.candidates; from += tiles * shape.block) {
    const Span32 steps{std::uint32_t(from), std::uint32_t(std::min<std::uint64_t>(
                                                join.candidates, from + tiles * shape.block))};
    join.log.time(run.stream(), {name, function, shape.block, shape.sharedBytes}, [&] {
      kernel<<<blocksFor(rows.end - rows.begin, shape.block), shape.block, shape.sharedBytes,
               run.stream()>>>(join.all, rows, steps, work,
                               PassWords{join.calculations.data(), run.stop()});
    });
    run.wait();
    join.log.settle();
    run.task().report(stage, double(steps.end) / join.candidates);
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
    case CandidateAccess::OwnBlock:
      return runAllPairsBy<CandidateAccess::OwnBlock>(join, name, stage, rows, work);
    case CandidateAccess::SharedTiles:
      return runAllPairsBy<CandidateAccess::SharedTiles>(join, name, stage, rows, work);
  }
}

}  // namespace clusterloom
