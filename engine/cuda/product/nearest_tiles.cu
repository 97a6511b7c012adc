#include "engine/cuda/product/nearest_kernels.h"
#include "engine/cuda/product/open_tiles.cuh"

namespace clusterloom {
namespace {

using namespace byteProduct;

struct AnyPair {
  __device__ bool operator()(const uint2&) const { return true; }
};

template <int kSlice, bool kResident>
__global__ void __launch_bounds__(kThreads, 2) nearestTiles(const __grid_constant__ NearestWork w) {
  multiplyNearTiles<kSlice, kResident>({w.points.bytes, w.points.bytes, w.byteWidth}, w.near,
                                       w.stop, [&](const PairQueue& queue) {
                                         return OpenTiles{w, w.reaches.bytes, queue, AnyPair{}};
                                       });
}

}  // namespace

void launchNearestTiles(GpuRun& run, const NearestWork& work, KernelLog& log) {
  launchForWidth(
      run, log, "nearest tiles", work.byteWidth,
      [&]<int kSlice, bool kResident>() { return nearestTiles<kSlice, kResident>; }, work);
}

}  // namespace clusterloom
