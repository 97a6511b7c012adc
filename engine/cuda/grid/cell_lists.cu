#include "engine/cuda/grid/cell_lists.h"

#include <bit>
#include <cmath>

#include "engine/core/lower_bound.h"
#include "engine/core/mixed_bits.h"
#include "engine/cuda/grid/device_geometry.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/grid/occupancy.h"

namespace clusterloom {
namespace {

// Cells whose lowest `shareLog2` bits of the hash are 0 take part.
__global__ void markOccupied(const __grid_constant__ DeviceGeometry geometry,
                             const double* coordinates, std::size_t stride, std::size_t n,
                             std::uint32_t* bits, int bitsLog2, int shareLog2) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  const std::uint64_t hash = mixedBits(linearIdOf(geometry, coordinates, stride, i));
  if ((hash & ((1U << shareLog2) - 1U)) != 0) return;
  const std::uint64_t place = hash >> (64 - bitsLog2);
  const std::uint32_t bit = 1U << (place % 32);
  std::uint32_t* word = &bits[place / 32];
  if ((*reinterpret_cast<volatile std::uint32_t*>(word) & bit) == 0) atomicOr(word, bit);
}

__global__ void countBits(const std::uint32_t* words, std::size_t n, unsigned long long* sum) {
  std::uint32_t mine = 0;
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = threadNumber(); i < n; i += step) mine += __popc(words[i]);
  for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffU, mine, apart);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

__global__ void sampleIds(const __grid_constant__ DeviceGeometry geometry,
                          const double* coordinates, std::size_t stride, std::size_t n,
                          std::size_t sample, std::uint64_t* ids) {
  const std::size_t i = threadNumber();
  if (i < sample) ids[i] = linearIdOf(geometry, coordinates, stride, companionOf(i, sample, n));
}

// `rows`, if there are any, get the coordinates point by point.
template <class Key>
__global__ void makeKeys(const __grid_constant__ DeviceGeometry geometry, const double* coordinates,
                         std::size_t stride, std::size_t n, int dims, Key* keys, std::uint32_t* ids,
                         double* rows) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  keys[i] = static_cast<Key>(linearIdOf(geometry, coordinates, stride, i));
  ids[i] = std::uint32_t(i);
  if (rows == nullptr) return;
  for (int j = 0; j < dims; ++j) rows[i * dims + j] = coordinates[j * stride + i];
}

// Whether a position is the first of its cell, and its coordinates: coordinate j of point i is
// from[i · pointStep + j · columnStep].
template <class Key>
__global__ void gather(const Key* keys, const std::uint32_t* ids, const double* from,
                       std::size_t pointStep, std::size_t columnStep, std::size_t n, int dims,
                       double* ordered, std::uint32_t* isFirst) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  const std::size_t id = ids[p];
  isFirst[p] = p == 0 || keys[p] != keys[p - 1];
  for (int j = 0; j < dims; ++j) ordered[j * n + p] = from[id * pointStep + j * columnStep];
}

// `before`: how many cells start before each position.
template <class Key>
__global__ void makeCells(const Key* keys, const std::uint32_t* before, std::size_t n,
                          std::uint32_t* cellOf, std::uint64_t* cellIds, std::uint32_t* cellStart,
                          std::uint32_t* cellCount) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  const bool first = p == 0 || keys[p] != keys[p - 1];
  const std::uint32_t cell = before[p] - (first ? 0 : 1);
  cellOf[p] = cell;
  if (first) {
    cellIds[cell] = keys[p];
    cellStart[cell] = std::uint32_t(p);
  }
  if (p == n - 1) {
    cellStart[cell + 1] = std::uint32_t(n);
    *cellCount = cell + 1;
  }
}

__global__ void fillBuckets(const std::uint64_t* cellIds, const std::uint32_t* cellCount,
                            std::uint64_t entries, int shift, std::uint32_t* bucketFirst) {
  const std::uint64_t b = threadNumber();
  if (b >= entries) return;
  bucketFirst[b] = lowerBound(cellIds, std::uint32_t{0}, *cellCount, b << shift);
}

template <class Key>
void build(GpuRun& run, const DeviceCloud& cloud, CellLists& lists) {
  const Lease lease = run.lease();
  const std::size_t n = cloud.size;
  const unsigned blocks = blocksFor(n);
  const UploadedGeometry uploaded = uploadGeometry(lease, lists.geometry);
  DeviceBuffer<Key> keys(lease, n);
  lists.pointIds = DeviceBuffer<std::uint32_t>(lease, n);
  // Points come together from all over the memory, which is read in pieces of 32 bytes: their
  // coordinates beside each other take fewer of them. In more dimensions that needs more memory
  // than what follows.
  const int dims = int(cloud.dims);
  const bool byRows = dims == 2 || dims == 3;
  DeviceBuffer<double> rows(lease, byRows ? n * cloud.dims : 0);
  makeKeys<Key><<<blocks, kBlockSize, 0, run.stream()>>>(
      uploaded.geometry, cloud.coordinates.data(), cloud.stride(), n, dims, keys.data(),
      lists.pointIds.data(), rows.data());
  CUDA_CHECK_LAUNCH();
  sortByKey(lease, keys, lists.pointIds, std::bit_width(lists.geometry.linearIds() - 1));

  lists.ordered = DeviceBuffer<double>(lease, n * cloud.dims);
  DeviceBuffer<std::uint32_t> before(lease, n);
  gather<Key><<<blocks, kBlockSize, 0, run.stream()>>>(
      keys.data(), lists.pointIds.data(), byRows ? rows.data() : cloud.coordinates.data(),
      byRows ? cloud.dims : 1, byRows ? 1 : cloud.stride(), n, dims, lists.ordered.data(),
      before.data());
  CUDA_CHECK_LAUNCH();
  rows = {};
  lists.cellOf = DeviceBuffer<std::uint32_t>(lease, n);
  lists.cellIds = DeviceBuffer<std::uint64_t>(lease, n);
  lists.cellStart = DeviceBuffer<std::uint32_t>(lease, n + 1);
  lists.cellCount = DeviceBuffer<std::uint32_t>(lease, 1);
  exclusiveScan(lease, before.data(), before.data(), n);
  makeCells<Key><<<blocks, kBlockSize, 0, run.stream()>>>(
      keys.data(), before.data(), n, lists.cellOf.data(), lists.cellIds.data(),
      lists.cellStart.data(), lists.cellCount.data());
  CUDA_CHECK_LAUNCH();
}

}  // namespace

double estimateOccupiedCells(GpuRun& run, const DeviceCloud& cloud, const CellGeometry& geometry) {
  // Of large clouds a sixteenth of the cells stands for all: it is counted in a table that fits
  // into the cache. The error stays under a percent where cells hold few enough points to matter.
  constexpr std::size_t kCounted = std::size_t{1} << 20;
  int shareLog2 = 0;
  while (shareLog2 < 4 && (cloud.size >> shareLog2) > kCounted) ++shareLog2;
  // Sixteen bits per point keep the estimate's error under a percent.
  const int bitsLog2 = std::max(20, int(std::bit_width(16 * (cloud.size >> shareLog2) - 1)));
  DeviceBuffer<std::uint32_t> bits(run.lease(), std::size_t{1} << (bitsLog2 - 5));
  DeviceBuffer<unsigned long long> sum(run.lease(), 1);
  bits.fillBytes(0);
  sum.fillBytes(0);
  const UploadedGeometry uploaded = uploadGeometry(run.lease(), geometry);
  markOccupied<<<blocksFor(cloud.size), kBlockSize, 0, run.stream()>>>(
      uploaded.geometry, cloud.coordinates.data(), cloud.stride(), cloud.size, bits.data(),
      bitsLog2, shareLog2);
  CUDA_CHECK_LAUNCH();
  countBits<<<unsigned(4 * run.device().multiprocessors()), kBlockSize, 0, run.stream()>>>(
      bits.data(), bits.size(), sum.data());
  CUDA_CHECK_LAUNCH();
  const double set = double(run.read(sum));
  const double all = std::ldexp(1.0, bitsLog2);
  return -std::ldexp(all, shareLog2) * std::log1p(-set / all);
}

double estimateCompanions(GpuRun& run, const DeviceCloud& cloud, const CellGeometry& geometry) {
  const std::size_t sample = companionSample(cloud.size);
  DeviceBuffer<std::uint64_t> ids(run.lease(), sample);
  const UploadedGeometry uploaded = uploadGeometry(run.lease(), geometry);
  sampleIds<<<blocksFor(sample), kBlockSize, 0, run.stream()>>>(
      uploaded.geometry, cloud.coordinates.data(), cloud.stride(), cloud.size, sample, ids.data());
  CUDA_CHECK_LAUNCH();
  std::vector<std::uint64_t> here(sample);
  ids.download(here);
  run.wait();
  return estimatedCompanions(std::move(here), cloud.size);
}

CellLists buildCellLists(GpuRun& run, const DeviceCloud& cloud, const CellGeometry& geometry) {
  const GpuPhase phase("grid");
  CellLists lists;
  lists.geometry = geometry;
  lists.size = cloud.size;
  lists.dims = cloud.dims;
  const std::uint64_t bound = geometry.linearIds();
  if (bound <= (1ULL << 32))
    build<std::uint32_t>(run, cloud, lists);
  else
    build<std::uint64_t>(run, cloud, lists);
  const std::uint64_t mostBuckets = std::max<std::uint64_t>(1U << 20, 2 * cloud.size);
  while ((bound >> lists.bucketShift) > mostBuckets) ++lists.bucketShift;
  const std::uint64_t entries = (bound >> lists.bucketShift) + 2;
  lists.bucketFirst = DeviceBuffer<std::uint32_t>(run.lease(), entries);
  fillBuckets<<<blocksFor(entries), kBlockSize, 0, run.stream()>>>(
      lists.cellIds.data(), lists.cellCount.data(), entries, lists.bucketShift,
      lists.bucketFirst.data());
  CUDA_CHECK_LAUNCH();
  return lists;
}

}  // namespace clusterloom
