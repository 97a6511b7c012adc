#include "engine/cuda/product/byte_product.cuh"
#include "engine/cuda/product/nearest_kernels.h"

namespace clusterloom {
namespace {

using namespace byteProduct;

struct ReachAndNorm {
  std::int32_t reach;
  std::int32_t norm;
};
struct TwoReachesAndNorms {
  int2 reaches;
  int2 norms;
};

// Lists the pairs of which one point may be a neighbour of the other. Nothing is decided here: the
// matrix units would wait for it.
struct NearestTiles {
  const NearestWork& w;
  PairQueue queue;

  __device__ void start(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                        Sums& sums) {
    const std::int32_t* const normsA = w.points.norms + tileA * kTile;
    const std::int32_t* const normsB = w.points.norms + tileB * kTile;
    const std::int32_t* const reachA = w.reaches.bytes + tileA * kTile;
    const std::int32_t* const reachB = w.reaches.bytes + tileB * kTile;
    startSums(
        part, sums,
        [&](int row) {
          return ReachAndNorm{reachA[row], normsA[row]};
        },
        [&](int column) {
          return TwoReachesAndNorms{*reinterpret_cast<const int2*>(reachB + column),
                                    *reinterpret_cast<const int2*>(normsB + column)};
        },
        [&](const ReachAndNorm& row, const TwoReachesAndNorms& columns, int* two) {
          two[0] = startOfProduct(max(row.reach, columns.reaches.x), row.norm, columns.norms.x);
          two[1] = startOfProduct(max(row.reach, columns.reaches.y), row.norm, columns.norms.y);
        });
  }
  __device__ void take(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                       const Sums& sums) {
    forHits(part, sums, 0, [&](std::uint32_t row, std::uint32_t column, bool) {
      if (tileA == tileB && column <= row) return;
      const uint2 pair = {tileA * kTile + row, tileB * kTile + column};
      if (!push(queue, pair)) append(w.open, pair);
    });
  }
  __device__ void drain() {
    forQueued(queue, [&](const uint2& pair) { append(w.open, pair); });
  }
};

template <int kSlice, bool kResident>
__global__ void __launch_bounds__(kThreads, 2) nearestTiles(const __grid_constant__ NearestWork w) {
  multiplyNearTiles<kSlice, kResident>({w.points.bytes, w.points.bytes, w.byteWidth}, w.near,
                                       w.stop, [&](const PairQueue& queue) {
                                         return NearestTiles{w, queue};
                                       });
}

struct NearestKernels {
  template <int kSlice, bool kResident>
  static auto of() {
    return nearestTiles<kSlice, kResident>;
  }
};

}  // namespace

void launchNearestTiles(GpuRun& run, const NearestWork& work, KernelLog& log) {
  byteProduct::launchForWidth<NearestKernels>(run, log, "nearest tiles", work.byteWidth, work);
}

}  // namespace clusterloom
