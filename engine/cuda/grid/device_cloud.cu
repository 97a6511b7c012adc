#include "engine/cuda/grid/device_cloud.h"

#include <algorithm>
#include <cstdint>

#include "engine/core/ordered_bits.h"
#include "engine/cuda/runtime/gpu_phase.h"

namespace clusterloom {
namespace {

constexpr int kBlock = 256;

// ends[2j] takes the lowest and ends[2j + 1] the complement of the highest coordinate of dimension
// j = blockIdx.y; both start as all ones.
__global__ void findBounds(const double* coordinates, std::size_t n, unsigned long long* ends) {
  const double* x = coordinates + blockIdx.y * n;
  double low = x[0];
  double high = low;
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += step) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  for (int apart = 16; apart > 0; apart /= 2) {
    low = fmin(low, __shfl_xor_sync(0xffffffffU, low, apart));
    high = fmax(high, __shfl_xor_sync(0xffffffffU, high, apart));
  }
  if (threadIdx.x % 32 != 0) return;
  atomicMin(&ends[2 * blockIdx.y], orderedBits(low));
  atomicMin(&ends[2 * blockIdx.y + 1], ~orderedBits(high));
}

}  // namespace

DeviceCloud uploadCloud(GpuRun& run, const PointCloud& cloud) {
  const GpuPhase phase("upload");
  DeviceCloud there;
  there.size = cloud.size();
  there.dims = cloud.dims();
  there.host = &cloud;
  there.coordinates = DeviceBuffer<double>(run.lease(), there.size * there.dims);
  for (std::size_t j = 0; j < there.dims; ++j)
    there.coordinates.upload(cloud.column(j), j * there.size);
  return there;
}

Bounds boundsOf(GpuRun& run, const DeviceCloud& cloud) {
  const GpuPhase phase("bounds");
  DeviceBuffer<unsigned long long> ends(run.lease(), 2 * cloud.dims);
  ends.fillBytes(0xff);
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::size_t>(cloud.size / (4 * kBlock), 1, 4 * run.device().multiprocessors()));
  findBounds<<<dim3(blocks, static_cast<unsigned>(cloud.dims)), kBlock, 0, run.stream()>>>(
      cloud.coordinates.data(), cloud.size, ends.data());
  CUDA_CHECK_LAUNCH();
  const auto here = run.mailbox<unsigned long long>(2 * cloud.dims);
  ends.download(here);
  run.wait();
  Bounds bounds;
  for (std::size_t j = 0; j < cloud.dims; ++j) {
    bounds.low.push_back(fromOrderedBits(here[2 * j]));
    bounds.high.push_back(fromOrderedBits(~here[2 * j + 1]));
  }
  return bounds;
}

}  // namespace clusterloom
