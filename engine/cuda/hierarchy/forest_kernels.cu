#include <algorithm>

#include "engine/core/infinity.h"
#include "engine/cuda/hierarchy/cuda_machine.cuh"
#include "engine/cuda/hierarchy/forest_work.h"
#include "engine/cuda/product/near_tiles.cuh"
#include "engine/cuda/product/pair_stages.cuh"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

/// Keeps what balls prove of two tiles; none is listed.
struct KeepBound {
  ForestWork w;
  __device__ bool operator()(std::uint32_t a, std::uint32_t b, double least, double) const {
    const double half = least > 0 ? 0.5 * least * least * (1 - kReachMargin) : 0;
    w.lightest[ForestWork::at(a, b)] =
        static_cast<unsigned long long>(half) << 32 | ForestWork::kNever;
    return false;
  }
};

// A block a tile.
__global__ void __launch_bounds__(kProductTile) findReaches(const __grid_constant__ ForestWork w) {
  __shared__ double farthest;
  __shared__ std::uint32_t firstComponent;
  const std::uint32_t tile = blockIdx.x;
  const std::uint32_t position = tile * kProductTile + threadIdx.x;
  const GroupForest& f = w.offers.f;
  const bool isPoint = position < w.points.size;
  int2 place = {w.most, -1};
  std::int32_t reach = -1;
  std::int32_t limit = -1;
  double outer = -1;
  if (isPoint) {
    const std::uint32_t component = f.component[position];
    // The first position of a tile always has a point.
    if (threadIdx.x == 0) firstComponent = component;
    place = {heavinessOfCore(w.byteScale, f.core[position], w.most), std::int32_t(component)};
    const double best = __longlong_as_double(static_cast<long long>(f.best[component]));
    if (f.lower[position] < best) {
      outer = nearestOuter(w.byteScale, best, w.dims);
      limit = limitOfHeaviness(outer, w.most);
      reach = nearestReach(outer, w.points.tileErrors[tile] + *w.mostByteError,
                           largestDistanceOfBytes(w.dims));
    }
  }
  if (threadIdx.x == 0) farthest = 0;
  w.places[position] = place;
  w.limits[position] = limit;
  w.reaches[position] = reach;
  __syncthreads();
  const bool anyReaches = __syncthreads_or(reach >= 0) != 0;
  if (outer >= 0) atomicMaximum(&farthest, outer);
  const bool one = __syncthreads_and(!isPoint || std::uint32_t(place.y) == firstComponent) != 0;
  if (threadIdx.x != 0) return;
  w.tileReaches[tile] = anyReaches ? farthest : -1;
  w.tileTags[tile] = one ? firstComponent : ForestWork::kMixed;
}

__device__ bool isWithinComponent(const ForestWork& w, std::uint32_t a, std::uint32_t b,
                                  std::uint32_t pair) {
  return w.places[a * kProductTile + pair / kProductTile].y ==
         w.places[b * kProductTile + pair % kProductTile].y;
}

__global__ void __launch_bounds__(kBlockSize)
    chooseTiles(const __grid_constant__ ForestWork w, const __grid_constant__ TileBand band,
                ForestPass pass, std::uint32_t* nearTiles, std::uint32_t* length) {
  const std::uint32_t row = blockIdx.y;
  const std::uint32_t a = band.first + row;
  const std::uint32_t b = band.from + std::uint32_t(threadNumber());
  if (b >= band.to || b < a) return;
  const double outer = fmax(w.tileReaches[a], w.tileReaches[b]);
  if (outer < 0) return;
  unsigned long long& entry = w.lightest[ForestWork::at(a, b)];
  const auto heaviness = std::uint32_t(entry >> 32);
  if (heaviness == ForestWork::kNoPair) return;
  if (w.tileTags[a] == w.tileTags[b] && w.tileTags[a] != ForestWork::kMixed) {
    entry = ~0ULL;
    return;
  }
  if (leastOfHeaviness(heaviness) >
      outerReach({.outer = outer}, w.points.tileErrors[a] + w.points.tileErrors[b]))
    return;
  if (pass == ForestPass::Lightest) {
    // Where nothing is known of a component, each of its points asks.
    const auto pair = std::uint32_t(entry);
    if (pair != ForestWork::kNever && outer < kInfinity && !isWithinComponent(w, a, b, pair))
      return;
    entry = ~0ULL;
  }
  nearTiles[std::size_t(row) * w.near.stride + atomicAdd(length + row, 1U)] = b;
}

// Appends a pair if its edge may be of use.
__device__ void appendSeed(const ForestWork& w, const uint2& pair, std::uint32_t heaviness) {
  MachineLane lane;
  const double limit = w.offers.limitOfPair(lane, pair.x, pair.y);
  if (limit < 0) return;
  const double errors =
      w.points.tileErrors[pair.x / kProductTile] + w.points.tileErrors[pair.y / kProductTile];
  if (leastOfHeaviness(heaviness) >
      outerReach({.outer = nearestOuter(w.byteScale, limit, w.dims)}, errors))
    return;
  const unsigned long long at = atomicAdd(w.open.count, 1ULL);
  // Where there is no room, less is known before the search for all pairs.
  if (at < w.open.capacity) w.open.pairs[at] = pair;
}

__global__ void __launch_bounds__(kBlockSize) seedsOfTiles(const __grid_constant__ ForestWork w) {
  const std::size_t all = ForestWork::at(0, w.tiles);
  for (std::size_t i = threadNumber(); i < all; i += std::size_t(gridDim.x) * blockDim.x) {
    const unsigned long long entry = w.lightest[i];
    const auto heaviness = std::uint32_t(entry >> 32);
    const auto pair = std::uint32_t(entry);
    if (heaviness == ForestWork::kNoPair || pair == ForestWork::kNever) continue;
    auto b = std::uint32_t((sqrt(8.0 * double(i) + 1) - 1) / 2);
    while (ForestWork::at(0, b) > i) --b;
    while (ForestWork::at(0, b + 1) <= i) ++b;
    const auto a = std::uint32_t(i - ForestWork::at(0, b));
    appendSeed(w, {a * kProductTile + pair / kProductTile, b * kProductTile + pair % kProductTile},
               heaviness);
  }
}

__global__ void __launch_bounds__(kBlockSize) seedsOfPoints(const __grid_constant__ ForestWork w) {
  const std::size_t position = threadNumber();
  if (position >= w.points.size) return;
  const unsigned long long seed = w.seeds[position];
  if (seed == ~0ULL) return;
  appendSeed(w, {std::uint32_t(position), std::uint32_t(seed)}, std::uint32_t(seed >> 32));
}

struct ForestPairs {
  ForestWork w;

  CLUSTERLOOM_LANE const ForestWork& work() const { return w; }
  __device__ bool wants(const uint2& pair) const {
    MachineLane lane;
    return w.offers.limitOfPair(lane, pair.x, pair.y) >= 0;
  }
  __device__ int decide(const uint2& pair, std::int32_t square) const {
    MachineLane lane;
    const double limit = w.offers.limitOfPair(lane, pair.x, pair.y);
    if (limit < 0) return -1;
    const double errors = w.points.wordErrors[pair.x] + w.points.wordErrors[pair.y];
    return square <= nearestReach(nearestOuter(w.wordScale, limit, w.dims), errors,
                                  kLargestRoundedDistance)
               ? 0
               : -1;
  }
  __device__ void take(const uint2&) const {}
  __device__ void exact(const uint2& pair, double square) const {
    MachineLane lane;
    w.offers.take(lane, pair.x, pair.y, square);
  }
};

}  // namespace

void launchForestBounds(GpuRun& run, const RoundedCloud& points, const ForestWork& work) {
  launchMostByteError(run, work);
  constexpr std::uint32_t kMostRows = 1U << 15;  // of a launch, in blocks of the y axis
  for (std::uint32_t first = 0; first < work.tiles; first += kMostRows)
    listNearTiles(run, points, points,
                  NearList{.first = first,
                           .rows = std::min(kMostRows, work.tiles - first),
                           .fromOwn = true,
                           .from = 0,
                           .to = work.tiles},
                  KeepBound{work});
}

void launchForestReaches(GpuRun& run, const ForestWork& work) {
  findReaches<<<work.tiles, kProductTile, 0, run.stream()>>>(work);
  CUDA_CHECK_LAUNCH();
}

void launchForestChoice(GpuRun& run, const ForestWork& work, const TileBand& band, ForestPass pass,
                        std::uint32_t* nearTiles, std::uint32_t* length) {
  const dim3 blocks(blocksFor(band.to - band.from), band.rows);
  chooseTiles<<<blocks, kBlockSize, 0, run.stream()>>>(work, band, pass, nearTiles, length);
  CUDA_CHECK_LAUNCH();
}

void launchForestSeeds(GpuRun& run, const ForestWork& work) {
  seedsOfTiles<<<std::min(1U << 15, blocksFor(ForestWork::at(0, work.tiles))), kBlockSize, 0,
                 run.stream()>>>(work);
  CUDA_CHECK_LAUNCH();
  seedsOfPoints<<<blocksFor(work.points.size), kBlockSize, 0, run.stream()>>>(work);
  CUDA_CHECK_LAUNCH();
}

void launchForestPairs(GpuRun& run, const ForestWork& work, std::uint64_t count, KernelLog& log) {
  if (count > 0) pairStages::launch(run, ForestPairs{work}, count, log);
}

void launchRaiseLower(GpuRun& run, const ForestWork& work) {
  eachItem<<<blocksFor(work.points.size), kBlockSize, 0, run.stream()>>>(RaiseLower{work.offers.f},
                                                                         work.points.size);
  CUDA_CHECK_LAUNCH();
}

}  // namespace clusterloom
