#include "engine/cuda/runtime/launch.h"
#include "tests/device/device_points.h"

namespace devicePoints {
namespace {

using clusterloom::threadNumber;

// One of 2⁵³ values in [0, 1), by splitmix64's mixing of the index.
__device__ double unit(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

__global__ void fill(Kind kind, std::uint64_t first, std::size_t count, std::size_t dims,
                     double* columns) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  for (std::size_t j = 0; j < dims; ++j) {
    const double u = unit((first + i) * dims + j);
    columns[j * count + i] = kind == Kind::Uniform ? 100 * u : -log(1 - u) / 40;
  }
}

}  // namespace

clusterloom::DeviceCloud make(clusterloom::GpuRun& run, Kind kind, std::uint64_t first,
                              std::size_t count, std::size_t dims) {
  clusterloom::DeviceCloud cloud;
  cloud.size = count;
  cloud.dims = dims;
  cloud.coordinates = clusterloom::DeviceBuffer<double>(run.lease(), count * dims);
  fill<<<clusterloom::blocksFor(count), clusterloom::kBlockSize, 0, run.stream()>>>(
      kind, first, count, dims, cloud.coordinates.data());
  CUDA_CHECK_LAUNCH();
  return cloud;
}

}  // namespace devicePoints
