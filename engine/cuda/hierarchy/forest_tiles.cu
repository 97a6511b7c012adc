#include "engine/cuda/hierarchy/forest_work.h"
#include "engine/cuda/product/open_tiles.cuh"

namespace clusterloom {
namespace {

using namespace byteProduct;

// Finds the lightest pairs of two tiles, and of each of their points, between components.
struct LightestTiles {
  const ForestWork& w;

  __device__ void start(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                        Sums& sums) {
    startWithReach(part, sums, w.points.norms + tileA * kTile, w.points.norms + tileB * kTile, 0);
  }
  // A sum now is the negative of half the squared distance, rounded up.
  __device__ void take(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                       const Sums& sums) {
    const int lane = int(threadIdx.x) % 32;
    const int firstRow = part.firstRow + (lane >> 2);
    const int firstColumn = part.firstColumn + (lane & 3) * 2;
    const int2* const placesA = w.places + tileA * kTile;
    const int2* const placesB = w.places + tileB * kTile;
    std::uint32_t ofRow[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) ofRow[r] = kNothing;
    std::uint32_t ofMyColumn = kNothing;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        const int column = firstColumn + n * 8 + t;
        const int2 there = placesB[column];
        std::uint32_t ofColumn = kNothing;
#pragma unroll
        for (int r = 0; r < 8; ++r) {
          const int row = firstRow + r * 8;
          const int2 here = placesA[row];
          const int heaviness = max(max(-sums[r / 2][n][r % 2 * 2 + t], here.x), there.x);
          const std::uint32_t cut = here.y == there.y || heaviness >= w.most
                                        ? kNothing
                                        : std::uint32_t(heaviness) >> w.shift << 7;
          ofRow[r] = min(ofRow[r], cut | std::uint32_t(column));
          ofColumn = min(ofColumn, cut | std::uint32_t(row));
        }
#pragma unroll
        for (int apart = 4; apart < 32; apart *= 2)
          ofColumn = min(ofColumn, __shfl_xor_sync(0xffffffffU, ofColumn, apart));
        if (lane >> 2 == n * 2 + t) ofMyColumn = ofColumn;
      }
    }
    // Lane l has the lightest of column 8·(l / 8) + 2·(l % 4) + l / 4 % 2 of the warp's.
    offerSeed(tileB, part.firstColumn + (lane >> 3) * 8 + (lane & 3) * 2 + ((lane >> 2) & 1), tileA,
              ofMyColumn);
    unsigned long long ofPart = ~0ULL;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
      for (int apart = 1; apart < 4; apart *= 2)
        ofRow[r] = min(ofRow[r], __shfl_xor_sync(0xffffffffU, ofRow[r], apart));
      if ((lane & 3) != r % 4) continue;
      const int row = firstRow + r * 8;
      offerSeed(tileA, row, tileB, ofRow[r]);
      if (ofRow[r] < kNothing)
        ofPart = min(ofPart, static_cast<unsigned long long>(heavinessOf(ofRow[r])) << 32 |
                                 std::uint32_t(row * kTile) | (ofRow[r] & (kTile - 1)));
    }
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2)
      ofPart = min(ofPart, __shfl_xor_sync(0xffffffffU, ofPart, apart));
    if (lane == 0 && ofPart != ~0ULL) atomicMin(w.lightest + ForestWork::at(tileA, tileB), ofPart);
  }
  __device__ void drain() {}

 private:
  static constexpr std::uint32_t kNothing = 0xffffff80U;  ///< a key from this on is of no pair

  __device__ std::uint32_t heavinessOf(std::uint32_t key) const { return key >> 7 << w.shift; }
  __device__ void offerSeed(std::uint32_t tile, int row, std::uint32_t otherTile,
                            std::uint32_t key) const {
    const std::uint32_t position = tile * kTile + row;
    if (key >= kNothing || w.reaches[position] < 0) return;
    const unsigned long long seed = static_cast<unsigned long long>(heavinessOf(key)) << 32 |
                                    (otherTile * kTile + (key & (kTile - 1)));
    if (seed < w.seeds[position]) atomicMin(w.seeds + position, seed);
  }
};

// Whether a pair may be an edge of use for one of its points, between components.
struct MayBeEdge {
  const ForestWork& w;
  __device__ bool operator()(const uint2& pair) const {
    const int2 a = w.places[pair.x];
    const int2 b = w.places[pair.y];
    return a.y != b.y && max(a.x, b.x) <= max(w.limits[pair.x], w.limits[pair.y]);
  }
};

template <int kSlice, bool kResident>
__global__ void __launch_bounds__(kThreads, 2) lightestTiles(const __grid_constant__ ForestWork w) {
  multiplyNearTiles<kSlice, kResident>({w.points.bytes, w.points.bytes, w.byteWidth}, w.near,
                                       w.stop, [&](const PairQueue&) { return LightestTiles{w}; });
}
template <int kSlice, bool kResident>
__global__ void __launch_bounds__(kThreads, 2) openTiles(const __grid_constant__ ForestWork w) {
  multiplyNearTiles<kSlice, kResident>({w.points.bytes, w.points.bytes, w.byteWidth}, w.near,
                                       w.stop, [&](const PairQueue& queue) {
                                         return OpenTiles{w, w.reaches, queue, MayBeEdge{w}};
                                       });
}

}  // namespace

void launchForestTiles(GpuRun& run, const ForestWork& work, ForestPass pass, KernelLog& log) {
  if (pass == ForestPass::Lightest)
    launchForWidth(
        run, log, "lightest pairs", work.byteWidth,
        [&]<int kSlice, bool kResident>() { return lightestTiles<kSlice, kResident>; }, work);
  else
    launchForWidth(
        run, log, "open pairs", work.byteWidth,
        [&]<int kSlice, bool kResident>() { return openTiles<kSlice, kResident>; }, work);
}

}  // namespace clusterloom
