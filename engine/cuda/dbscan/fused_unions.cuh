#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/cuda/runtime/memory.h"
#include "engine/dbscan/fused_program.h"
#include "engine/grid/cell_geometry.h"

// The unions of the fused DBSCAN, for its source only.

namespace clusterloom {
namespace {

constexpr std::uint32_t kMostHeavyLinks = 1U << 20;
constexpr unsigned kHeavyBlock = 256;
// Of this many points one is linked before the largest set is sought.
constexpr std::uint32_t kPointsInOne = 8;

__device__ inline bool stopped(const FusedView& v) { return CudaLane().load(v.stop) != 0; }

// The cells that share a face with a cell and have a higher id, as linear-id offsets.
struct FusedFaces {
  std::uint64_t offset[8] = {};
  int count = 0;
};

template <int D>
__global__ void startRuns(const __grid_constant__ FusedView v, std::uint32_t* runOf) {
  const std::size_t c = threadNumber();
  if (c < v.size) runOf[c] = c < v.numberOfCells() ? fused::runStartOfCell<D>(v, c) : c;
}

__global__ void startCells(const __grid_constant__ FusedView v, const std::uint32_t* runOf) {
  const std::size_t p = threadNumber();
  if (p < v.size && v.core[p] != 0) v.parent[p] = fused::firstOfRun(v, p, runOf);
}

template <int D>
__global__ void startPoints(const __grid_constant__ FusedView v) {
  CudaLane lane;
  const std::size_t p = threadNumber();
  if (p < v.size && v.core[p] != 0) v.parent[p] = stopped(v) ? p : fused::coreBefore<D>(lane, v, p);
}

// Tight cells with the cells that share a face with them: nearly always one set, shown by one pair.
// What follows then mostly finds its cells united.
template <int D>
__global__ void linkFaces(const __grid_constant__ FusedView v,
                          const __grid_constant__ FusedFaces faces, fused::HeavyLinks heavy) {
  CudaLane lane;
  const std::size_t c = threadNumber();
  if (c >= v.numberOfCells() || stopped(v)) return;
  for (int i = 0; i < faces.count; ++i)
    fused::linkNext<D>(lane, v, std::uint32_t(c), faces.offset[i], heavy);
}

// Stores the root of every core point.
__global__ void flatten(const __grid_constant__ FusedView v) {
  CudaLane lane;
  const std::size_t p = threadNumber();
  if (p < v.size && v.core[p] != 0) v.parent[p] = settledRoot(lane, v.parent, std::uint32_t(p));
}

__global__ void voteLargest(const __grid_constant__ FusedView v) {
  CudaLane lane;
  fused::voteLargest(lane, v);
}

// Items with core points outside the largest set.
__global__ void markOutside(const __grid_constant__ FusedView v, std::uint8_t* outside) {
  const std::size_t i = threadNumber();
  if (i >= v.size) return;
  outside[i] = i < fused::numberOfItems(v) && fused::isOutside(v, std::uint32_t(i));
}

// Items to link: those of a list, or of all points 32 in 32 · `every`.
struct LinkedItems {
  const std::uint32_t* list = nullptr;
  const std::uint32_t* listed = nullptr;
  std::uint32_t every = 1;

  __device__ std::size_t count(const FusedView& v) const {
    return list != nullptr ? *listed : v.size / (32 * every) * 32;
  }
  __device__ std::uint32_t item(std::size_t i) const {
    return list != nullptr ? list[i] : std::uint32_t(i / 32 * 32 * every + i % 32);
  }
};

// Calls link(item, row) for all items and rows, row by row: each takes a lane long, as it waits for
// one load after another, and after the first rows there is less to do for the others.
template <class Link>
__device__ void forEachRow(const FusedView& v, const LinkedItems& items, const Link& link) {
  const std::size_t warps = std::size_t(gridDim.x) * blockDim.x / 32;
  const std::size_t count = items.count(v);
  const std::size_t groups = (count + 31) / 32;
  for (std::size_t w = threadNumber() / 32; w < groups * v.rows && !stopped(v); w += warps) {
    const std::size_t i = w % groups * 32 + threadIdx.x % 32;
    if (i < count) link(items.item(i), std::uint32_t(w / groups));
  }
}

template <int D>
__global__ void linkCells(const __grid_constant__ FusedView v, LinkedItems items,
                          fused::HeavyLinks heavy) {
  CudaLane lane;
  forEachRow(v, items, [&](std::uint32_t c, std::uint32_t row) {
    fused::linkCell<D>(lane, v, c, row, heavy);
  });
}

template <int D>
__global__ void linkPoints(const __grid_constant__ FusedView v, LinkedItems items) {
  CudaLane lane;
  forEachRow(v, items,
             [&](std::uint32_t p, std::uint32_t row) { fused::linkPoint<D>(lane, v, p, row); });
}

template <int D>
__global__ void linkHeavy(const __grid_constant__ FusedView v, fused::HeavyLinks heavy) {
  CudaLane lane;
  fused::linkHeavy<D>(lane, v, heavy);
}

/// Makes one set of all core points that reach each other, in the steps of
/// engine/dbscan/fused_program.h.
template <int D>
class Unions {
 public:
  Unions(GpuRun& run, const CellGeometry& geometry, const FusedView& v)
      : run_(run), geometry_(geometry), v_(v) {}

  void make() {
    if (v_.tight == nullptr)
      startFromCells();
    else
      startFromPoints();
    flattenPaths();
    voteLargest<<<1, fused::kVotes, fused::kVoteSharedBytes, run_.stream()>>>(v_);
    CUDA_CHECK_LAUNCH();
    linkOutside();
  }

 private:
  void startFromCells() {
    heavyLinks_ = DeviceBuffer<fused::HeavyLink>(
        run_.lease(), std::min<std::size_t>(kMostHeavyLinks, 64 * std::size_t{v_.size} + 64));
    heavyCount_ = DeviceBuffer<std::uint32_t>(run_.lease(), 1);
    DeviceBuffer<std::uint32_t> runOf(run_.lease(), v_.size);
    startRuns<D><<<blocks_, kBlockSize, 0, run_.stream()>>>(v_, runOf.data());
    CUDA_CHECK_LAUNCH();
    runningMaximum(run_.lease(), runOf.data(), runOf.data(), v_.size);
    startCells<<<blocks_, kBlockSize, 0, run_.stream()>>>(v_, runOf.data());
    CUDA_CHECK_LAUNCH();
    FusedFaces faces;
    // Along the fastest dimension the runs have done it.
    for (std::size_t i = 0; i + 1 < geometry_.stride.size(); ++i)
      faces.offset[faces.count++] = geometry_.stride[i];
    withHeavy([&](const fused::HeavyLinks& heavy) {
      linkFaces<D><<<blocks_, kBlockSize, 0, run_.stream()>>>(v_, faces, heavy);
    });
  }
  void startFromPoints() {
    startPoints<D><<<blocks_, kBlockSize, 0, run_.stream()>>>(v_);
    CUDA_CHECK_LAUNCH();
    flattenPaths();
    linkPoints<D><<<rowBlocks_, kBlockSize, 0, run_.stream()>>>(v_, {.every = kPointsInOne});
    CUDA_CHECK_LAUNCH();
  }
  void linkOutside() {
    DeviceBuffer<std::uint8_t> outside(run_.lease(), v_.size);
    DeviceBuffer<std::uint32_t> list(run_.lease(), v_.size);
    DeviceBuffer<std::uint32_t> listed(run_.lease(), 1);
    markOutside<<<blocks_, kBlockSize, 0, run_.stream()>>>(v_, outside.data());
    CUDA_CHECK_LAUNCH();
    selectFlagged(run_.lease(), outside.data(), list.data(), listed.data(), v_.size);
    const LinkedItems items{.list = list.data(), .listed = listed.data()};
    if (v_.tight != nullptr) {
      linkPoints<D><<<rowBlocks_, kBlockSize, 0, run_.stream()>>>(v_, items);
      CUDA_CHECK_LAUNCH();
      return;
    }
    withHeavy([&](const fused::HeavyLinks& heavy) {
      linkCells<D><<<rowBlocks_, kBlockSize, 0, run_.stream()>>>(v_, items, heavy);
    });
  }
  void flattenPaths() {
    flatten<<<blocks_, kBlockSize, 0, run_.stream()>>>(v_);
    CUDA_CHECK_LAUNCH();
  }
  // Launches a kernel that leaves heavy links, and then the one that processes them.
  template <class Launch>
  void withHeavy(const Launch& launch) {
    heavyCount_.fillBytes(0);
    const fused::HeavyLinks heavy{heavyLinks_.data(), heavyCount_.data(),
                                  std::uint32_t(heavyLinks_.size())};
    launch(heavy);
    CUDA_CHECK_LAUNCH();
    linkHeavy<D><<<unsigned(4 * run_.device().multiprocessors()), kHeavyBlock,
                   fused::kHeavySharedBytes, run_.stream()>>>(v_, heavy);
    CUDA_CHECK_LAUNCH();
  }

  GpuRun& run_;
  const CellGeometry& geometry_;
  const FusedView& v_;
  unsigned blocks_ = blocksFor(v_.size);
  unsigned rowBlocks_ = unsigned(8 * run_.device().multiprocessors());
  DeviceBuffer<fused::HeavyLink> heavyLinks_;
  DeviceBuffer<std::uint32_t> heavyCount_;
};

}  // namespace
}  // namespace clusterloom
