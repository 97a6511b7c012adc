#include "engine/cuda/grid/device_cloud.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/cloud/borrowed_cloud.h"
#include "engine/core/ordered_bits.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/cuda/runtime/staged_copies.h"

namespace clusterloom {
namespace {

constexpr int kBlock = 256;

// ends[2j] takes the lowest and ends[2j + 1] the complement of the highest coordinate of dimension
// j = blockIdx.y; both start as all ones.
__global__ void findBounds(const double* coordinates, std::size_t stride, std::size_t n,
                           unsigned long long* ends) {
  const double* x = coordinates + blockIdx.y * stride;
  double low = x[0];
  double high = low;
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
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

__global__ void takeSample(const double* x, std::size_t n, std::size_t count, double* sample) {
  const std::size_t i = threadNumber();
  if (i < count) sample[i] = x[i * n / count];
}

// A cloud that a device keeps between runs.
struct KeptCloud final : DeviceCopy {
  DeviceCloud cloud;
};

DeviceCloud placeFor(const PointCloud& cloud, DeviceBuffer<double> memory) {
  DeviceCloud there;
  there.size = cloud.size();
  there.dims = cloud.dims();
  there.host = &cloud;
  there.coordinates = std::move(memory);
  return there;
}

void copyColumns(GpuRun& run, const PointCloud& cloud, DeviceCloud& there) {
  std::vector<StagedUpload> columns;
  makeContiguous(cloud);
  for (std::size_t j = 0; j < cloud.dims(); ++j)
    columns.push_back(
        {std::as_bytes(cloud.column(j)), there.coordinates.data() + j * cloud.size()});
  uploadStaged(run, columns);
}

// Empty where the memory is left to runs.
DeviceBuffer<double> memoryToKeep(const GpuRun& run, std::size_t values) {
  constexpr std::uint64_t kLeastRatio = 4;  // of the free memory to what is kept
  if (kLeastRatio * values * sizeof(double) > run.device().freeMemory()) return {};
  try {
    return DeviceBuffer<double>(values);
  } catch (const CudaFailure& failure) {
    if (failure.code() != cudaErrorMemoryAllocation) throw;
    return {};
  }
}

std::shared_ptr<const DeviceCloud> ofKept(GpuRun& run, std::shared_ptr<const DeviceCopy> copy) {
  auto kept = std::static_pointer_cast<const KeptCloud>(std::move(copy));
  run.hold(kept);
  return {kept, &kept->cloud};
}

}  // namespace

DeviceCloud uploadCloud(GpuRun& run, const PointCloud& cloud) {
  const std::size_t values = cloud.size() * cloud.dims();
  DeviceCloud there = placeFor(cloud, DeviceBuffer<double>(run.lease(), values));
  copyColumns(run, cloud, there);
  return there;
}

std::shared_ptr<const DeviceCloud> pointsOnDevice(GpuRun& run, const JoinInput& input) {
  const PointCloud& points = input.points;
  const auto ofTheRun = [&] {
    return std::make_shared<const DeviceCloud>(uploadCloud(run, points));
  };
  if (input.prepared == nullptr || run.copies() == GpuRun::Copies::OfTheRun) return ofTheRun();
  const int device = run.device().id();
  if (auto copy = input.prepared->copyOn(device)) return ofKept(run, std::move(copy));
  auto memory = memoryToKeep(run, points.size() * points.dims());
  if (memory.size() == 0) return ofTheRun();
  const auto made = std::make_shared<KeptCloud>();
  made->cloud = placeFor(points, std::move(memory));
  copyColumns(run, points, made->cloud);
  made->cloud.bounds = boundsOf(run, made->cloud);
  // It has waited: other threads, which find the copy on their own streams, find all of it.
  return ofKept(run, input.prepared->keepCopy(device, made));
}

std::vector<std::vector<double>> sampleOf(GpuRun& run, const DeviceCloud& cloud,
                                          const std::vector<int>& dims, std::size_t count) {
  DeviceBuffer<double> there(run.lease(), dims.size() * count);
  std::vector<std::vector<double>> here(dims.size(), std::vector<double>(count));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    takeSample<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(
        cloud.column(std::size_t(dims[i])), cloud.size, count, there.data() + i * count);
    CUDA_CHECK_LAUNCH();
    there.download(here[i], i * count);
  }
  run.wait();
  return here;
}

BoundsSoFar::BoundsSoFar(GpuRun& run, std::size_t dims)
    : run_(run), dims_(dims), ends_(run.lease(), 2 * dims) {
  ends_.fillBytes(0xff);
}

void BoundsSoFar::add(const DeviceCloud& cloud, std::size_t first, std::size_t count) {
  if (count == 0) return;
  const auto blocks = unsigned(
      std::clamp<std::size_t>(count / (4 * kBlock), 1, 4 * run_.device().multiprocessors()));
  findBounds<<<dim3(blocks, unsigned(dims_)), kBlock, 0, run_.stream()>>>(
      cloud.coordinates.data() + first, cloud.stride(), count, ends_.data());
  CUDA_CHECK_LAUNCH();
}

Bounds BoundsSoFar::read() {
  std::vector<unsigned long long> here(2 * dims_);  // more than a mailbox holds in many dimensions
  ends_.download(here);
  run_.wait();
  Bounds bounds;
  for (std::size_t j = 0; j < dims_; ++j) {
    bounds.low.push_back(fromOrderedBits(here[2 * j]));
    bounds.high.push_back(fromOrderedBits(~here[2 * j + 1]));
  }
  return bounds;
}

Bounds boundsOf(GpuRun& run, const DeviceCloud& cloud) {
  if (cloud.bounds) return *cloud.bounds;
  const GpuPhase phase("bounds");
  BoundsSoFar bounds(run, cloud.dims);
  bounds.add(cloud, 0, cloud.size);
  return bounds.read();
}

}  // namespace clusterloom
