#include "engine/cuda/grid/device_grid.h"

#include <algorithm>
#include <bit>

#include "engine/core/lower_bound.h"
#include "engine/core/ordered_bits.h"
#include "engine/cuda/grid/device_geometry.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

// Directory entries that one thread fills: one search, then a walk.
constexpr std::uint32_t kEntriesPerThread = 16;

__global__ void numberPoints(std::uint32_t* ids, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) ids[p] = static_cast<std::uint32_t>(p);
}

__global__ void coordinateKeys(const double* x, std::uint64_t* keys, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) keys[p] = orderedBits(x[p]);
}

template <class Key>
__global__ void cellKeys(const __grid_constant__ DeviceGeometry geometry, const double* columns,
                         const std::uint32_t* ids, Key* keys, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) keys[p] = static_cast<Key>(linearIdOf(geometry, columns, n, ids[p]));
}

template <class Key>
__global__ void markFirsts(const Key* keys, std::uint32_t* first, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) first[p] = p == 0 || keys[p] != keys[p - 1];
}

// From the cells before each position to the cell of each position.
template <class Key>
__global__ void numberCells(const Key* keys, std::uint32_t* cellOf, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n && !(p == 0 || keys[p] != keys[p - 1])) --cellOf[p];
}

template <class Key>
__global__ void collectCells(const Key* keys, const std::uint32_t* cellOf, std::uint64_t* cellIds,
                             std::uint32_t* cellStart, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  const std::uint32_t cell = cellOf[p];
  if (p == 0 || keys[p] != keys[p - 1]) {
    cellIds[cell] = keys[p];
    cellStart[cell] = static_cast<std::uint32_t>(p);
  }
  if (p == n - 1) cellStart[cell + 1] = static_cast<std::uint32_t>(n);
}

__global__ void gatherColumn(const double* from, const std::uint32_t* ids, double* to,
                             std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) to[p] = from[ids[p]];
}

__global__ void offsetsOf(const OffsetColumn column, double scale, const double* x, float* offsets,
                          std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) offsets[p] = offsetOf(column, scale, x[p]);
}

__global__ void coordinatesOfCells(const std::uint64_t* cellIds, std::uint64_t stride,
                                   std::uint64_t extent, std::uint32_t* coordinates,
                                   std::uint32_t cells) {
  const std::size_t c = threadNumber();
  if (c < cells) coordinates[c] = static_cast<std::uint32_t>(cellIds[c] / stride % extent);
}

__global__ void fillDirectory(const std::uint64_t* cellIds, const std::uint32_t* cellStart,
                              std::uint32_t cells, std::uint32_t* directory,
                              std::uint64_t entries) {
  const std::uint64_t begin = threadNumber() * kEntriesPerThread;
  if (begin >= entries) return;
  std::uint32_t cell = lowerBound(cellIds, std::uint32_t{0}, cells, begin);
  const std::uint64_t end = min(begin + kEntriesPerThread, entries);
  for (std::uint64_t id = begin; id < end; ++id) {
    if (cell < cells && cellIds[cell] < id) ++cell;
    directory[id] = cellStart[cell];
  }
}

// Sorts the points by cell, keeping the order `ids` brings along within each, and collects B and G.
template <class Key>
void sortIntoCells(GpuRun& run, const DeviceCloud& cloud, DeviceGrid& grid) {
  const std::size_t n = grid.size;
  const unsigned blocks = blocksFor(n);
  DeviceBuffer<Key> keys(run.lease(), n);
  const UploadedGeometry uploaded = uploadGeometry(run.lease(), grid.geometry);
  cellKeys<<<blocks, kBlockSize, 0, run.stream()>>>(uploaded.geometry, cloud.coordinates.data(),
                                                    grid.pointIds.data(), keys.data(), n);
  CUDA_CHECK_LAUNCH();
  sortByKey(run.lease(), keys, grid.pointIds, std::bit_width(grid.geometry.linearIds() - 1));
  markFirsts<<<blocks, kBlockSize, 0, run.stream()>>>(keys.data(), grid.cellOf.data(), n);
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), grid.cellOf.data(), grid.cellOf.data(), n);
  numberCells<<<blocks, kBlockSize, 0, run.stream()>>>(keys.data(), grid.cellOf.data(), n);
  CUDA_CHECK_LAUNCH();
  const auto last = run.mailbox<std::uint32_t>(1);
  grid.cellOf.download(last, n - 1);
  run.wait();
  grid.cells = last[0] + 1;
  grid.cellIds = DeviceBuffer<std::uint64_t>(run.lease(), grid.cells);
  grid.cellStart = DeviceBuffer<std::uint32_t>(run.lease(), grid.cells + std::size_t{1});
  collectCells<<<blocks, kBlockSize, 0, run.stream()>>>(
      keys.data(), grid.cellOf.data(), grid.cellIds.data(), grid.cellStart.data(), n);
  CUDA_CHECK_LAUNCH();
}

}  // namespace

DeviceGrid buildDeviceGrid(GpuRun& run, const DeviceCloud& cloud, const GridSpec& spec) {
  const GpuPhase phase("grid");
  DeviceGrid grid;
  grid.size = cloud.size;
  grid.dims = cloud.dims;
  grid.bounds = boundsOf(run, cloud);
  grid.geometry = geometryOf(run, cloud, grid.bounds, spec.eps, spec.reach, spec.dims);
  const std::size_t n = grid.size;
  const unsigned blocks = blocksFor(n);
  grid.pointIds = DeviceBuffer<std::uint32_t>(run.lease(), n);
  grid.cellOf = DeviceBuffer<std::uint32_t>(run.lease(), n);
  numberPoints<<<blocks, kBlockSize, 0, run.stream()>>>(grid.pointIds.data(), n);
  CUDA_CHECK_LAUNCH();
  if (spec.sortWithinCells >= 0) {
    // SORTIDU (003 §4.3): both sorts are stable, so the order within cells outlives the second.
    DeviceBuffer<std::uint64_t> keys(run.lease(), n);
    coordinateKeys<<<blocks, kBlockSize, 0, run.stream()>>>(
        cloud.column(static_cast<std::size_t>(spec.sortWithinCells)), keys.data(), n);
    CUDA_CHECK_LAUNCH();
    sortByKey(run.lease(), keys, grid.pointIds, 64);
  }
  if (grid.geometry.linearIds() <= 1ULL << 32)
    sortIntoCells<std::uint32_t>(run, cloud, grid);
  else
    sortIntoCells<std::uint64_t>(run, cloud, grid);
  grid.ordered = DeviceBuffer<double>(run.lease(), n * grid.dims);
  for (std::size_t j = 0; j < grid.dims; ++j) {
    gatherColumn<<<blocks, kBlockSize, 0, run.stream()>>>(cloud.column(j), grid.pointIds.data(),
                                                          grid.ordered.data() + j * n, n);
    CUDA_CHECK_LAUNCH();
  }
  return grid;
}

void addOccupiedCoordinates(GpuRun& run, DeviceGrid& grid) {
  const std::size_t k = grid.geometry.dims.size();
  DeviceBuffer<std::uint32_t> counts(run.lease(), k);
  for (std::size_t i = 0; i < k; ++i) {
    DeviceBuffer<std::uint32_t> coordinates(run.lease(), grid.cells);
    coordinatesOfCells<<<blocksFor(grid.cells), kBlockSize, 0, run.stream()>>>(
        grid.cellIds.data(), grid.geometry.stride[i], grid.geometry.extent[i], coordinates.data(),
        grid.cells);
    CUDA_CHECK_LAUNCH();
    if (i > 0)  // B is sorted by the slowest dimension already
      sortKeys(run.lease(), coordinates, std::bit_width(grid.geometry.extent[i]));
    DeviceBuffer<std::uint32_t> distinct(run.lease(), grid.cells);
    uniqueSorted(run.lease(), coordinates.data(), distinct.data(), counts.data() + i, grid.cells);
    grid.occupied.push_back(std::move(distinct));
  }
  const auto found = run.mailbox<std::uint32_t>(k);
  counts.download(found);
  run.wait();
  grid.occupiedCount.assign(found.begin(), found.end());
}

void addDirectory(GpuRun& run, DeviceGrid& grid) {
  const std::uint64_t entries = directoryEntries(grid.geometry, grid.size);
  if (entries == 0) return;
  grid.directory = DeviceBuffer<std::uint32_t>(run.lease(), entries);
  fillDirectory<<<blocksFor((entries - 1) / kEntriesPerThread + 1), kBlockSize, 0, run.stream()>>>(
      grid.cellIds.data(), grid.cellStart.data(), grid.cells, grid.directory.data(), entries);
  CUDA_CHECK_LAUNCH();
}

void addOffsets(GpuRun& run, DeviceGrid& grid, const SinglePrecision& single) {
  const std::size_t n = grid.size;
  grid.offsets = DeviceBuffer<float>(run.lease(), n * grid.dims);
  for (std::size_t i = 0; i < single.columns.size(); ++i) {
    const OffsetColumn& column = single.columns[i];
    offsetsOf<<<blocksFor(n), kBlockSize, 0, run.stream()>>>(
        column, single.scale, grid.column(static_cast<std::size_t>(column.dimension)),
        grid.offsets.data() + i * n, n);
    CUDA_CHECK_LAUNCH();
  }
}

JoinView viewOf(const DeviceGrid& grid, const JoinPlan& plan) {
  JoinView view = viewWithoutArrays(grid.geometry, plan, grid.dims);
  for (std::size_t j = 0; j < grid.dims; ++j) {
    view.columns[j] = grid.column(j);
    if (view.usesSingle) view.single.columns[j] = grid.offsets.data() + j * grid.size;
  }
  view.cellIds = grid.cellIds.data();
  view.cellStart = grid.cellStart.data();
  view.cells = grid.cells;
  view.directory = grid.directory.data();
  for (std::size_t i = 0; i < grid.occupied.size(); ++i) {
    view.occupied[i] = grid.occupied[i].data();
    view.occupiedCount[i] = grid.occupiedCount[i];
  }
  return view;
}

}  // namespace clusterloom
