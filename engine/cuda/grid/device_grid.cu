#include "engine/cuda/grid/device_grid.h"

#include <bit>
#include <utility>

#include "engine/core/lower_bound.h"
#include "engine/core/metric.h"
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
  if (p < n) ids[p] = std::uint32_t(p);
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
__global__ void listCells(const Key* keys, const std::uint32_t* cellOf, std::uint64_t* cellIds,
                          std::uint32_t* cellStart, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  const std::uint32_t cell = cellOf[p];
  if (p == 0 || keys[p] != keys[p - 1]) {
    cellIds[cell] = keys[p];
    cellStart[cell] = std::uint32_t(p);
  }
  if (p == n - 1) cellStart[cell + 1] = std::uint32_t(n);
}

// As queryCellIds (engine/grid/grid_queries.h); asks[n] is 0.
__global__ void queryKeys(const __grid_constant__ DeviceGeometry geometry, const double* columns,
                          std::size_t n, std::size_t dims, Metric metric, const double* low,
                          const double* high, double squaredEps, std::uint64_t* keys,
                          std::uint32_t* asks) {
  const std::size_t p = threadNumber();
  if (p == n) asks[n] = 0;
  if (p >= n) return;
  const auto clamped = [&](std::size_t j) {
    return fmin(fmax(columns[j * n + p], low[j]), high[j]);
  };
  const double square =
      squaredLength(metric, dims, [&](std::size_t j) { return columns[j * n + p] - clamped(j); });
  asks[p] = square <= squaredEps;
  keys[p] = linearIdOf(geometry, clamped);
}

// Keys and points of those with `asks` set, in the order of their points.
__global__ void keepAsking(const std::uint32_t* asks, const std::uint32_t* before,
                           const std::uint64_t* all, std::uint64_t* keys, std::uint32_t* points,
                           std::size_t n) {
  const std::size_t p = threadNumber();
  if (p >= n || asks[p] == 0) return;
  keys[before[p]] = all[p];
  points[before[p]] = std::uint32_t(p);
}

__global__ void pointsOfRanks(const std::uint32_t* ranks, const std::uint32_t* pointOfRank,
                              std::uint32_t* points, std::size_t n) {
  const std::size_t i = threadNumber();
  if (i < n) points[i] = pointOfRank[ranks[i]];
}

__global__ void addToAll(std::uint32_t* values, std::uint32_t more, std::size_t n) {
  const std::size_t i = threadNumber();
  if (i < n) values[i] += more;
}

__global__ void gatherColumn(const double* from, const std::uint32_t* ids, double* to,
                             std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) to[p] = from[ids[p]];
}

// The first `points` are the grid's, the others queries of another cloud.
__global__ void offsetsOf(const OffsetColumn column, double scale, const double* x, float* offsets,
                          std::size_t points, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n)
    offsets[p] = p < points ? offsetOf(column, scale, x[p]) : queryOffsetOf(column, scale, x[p]);
}

__global__ void coordinatesOfCells(const std::uint64_t* cellIds, std::uint64_t stride,
                                   std::uint64_t extent, std::uint32_t* coordinates,
                                   std::uint32_t cells) {
  const std::size_t c = threadNumber();
  if (c < cells) coordinates[c] = std::uint32_t(cellIds[c] / stride % extent);
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

// From the sorted keys of n positions: the cell of each, the ids of the cells and where each
// begins. Returns the number of cells; waits for it.
template <class Key>
std::uint32_t collectCells(GpuRun& run, const DeviceBuffer<Key>& keys,
                           DeviceBuffer<std::uint32_t>& cellOf,
                           DeviceBuffer<std::uint64_t>& cellIds,
                           DeviceBuffer<std::uint32_t>& cellStart) {
  const std::size_t n = keys.size();
  const unsigned blocks = blocksFor(n);
  cellOf = DeviceBuffer<std::uint32_t>(run.lease(), n);
  markFirsts<<<blocks, kBlockSize, 0, run.stream()>>>(keys.data(), cellOf.data(), n);
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), cellOf.data(), cellOf.data(), n);
  numberCells<<<blocks, kBlockSize, 0, run.stream()>>>(keys.data(), cellOf.data(), n);
  CUDA_CHECK_LAUNCH();
  const std::uint32_t cells = run.read(cellOf, n - 1) + 1;
  cellIds = DeviceBuffer<std::uint64_t>(run.lease(), cells);
  cellStart = DeviceBuffer<std::uint32_t>(run.lease(), cells + std::size_t{1});
  listCells<<<blocks, kBlockSize, 0, run.stream()>>>(keys.data(), cellOf.data(), cellIds.data(),
                                                     cellStart.data(), n);
  CUDA_CHECK_LAUNCH();
  return cells;
}

// Sorts the points by cell, keeping the order `ids` brings along within each, and collects B and G.
template <class Key>
void sortIntoCells(GpuRun& run, const DeviceCloud& cloud, DeviceGrid& grid) {
  const std::size_t n = grid.size;
  DeviceBuffer<Key> keys(run.lease(), n);
  const UploadedGeometry uploaded = uploadGeometry(run.lease(), grid.geometry);
  cellKeys<<<blocksFor(n), kBlockSize, 0, run.stream()>>>(
      uploaded.geometry, cloud.coordinates.data(), grid.pointIds.data(), keys.data(), n);
  CUDA_CHECK_LAUNCH();
  sortByKey(run.lease(), keys, grid.pointIds, std::bit_width(grid.geometry.linearIds() - 1));
  grid.cells = collectCells(run, keys, grid.cellOf, grid.cellIds, grid.cellStart);
}

// `more` behind `values`.
template <class T>
void append(GpuRun& run, DeviceBuffer<T>& values, const DeviceBuffer<T>& more) {
  DeviceBuffer<T> both(run.lease(), values.size() + more.size());
  CUDA_CHECK(cudaMemcpyAsync(both.data(), values.data(), values.bytes(), cudaMemcpyDeviceToDevice,
                             run.stream()));
  CUDA_CHECK(cudaMemcpyAsync(both.data() + values.size(), more.data(), more.bytes(),
                             cudaMemcpyDeviceToDevice, run.stream()));
  values = std::move(both);
}

void shift(GpuRun& run, DeviceBuffer<std::uint32_t>& values, std::uint32_t by) {
  addToAll<<<blocksFor(values.size()), kBlockSize, 0, run.stream()>>>(values.data(), by,
                                                                      values.size());
  CUDA_CHECK_LAUNCH();
}

// As addQueries (engine/grid/grid_queries.h), but for the coordinates.
void placeQueries(GpuRun& run, const DeviceCloud& queries, Metric metric, double squaredEps,
                  DeviceGrid& grid) {
  grid.twoClouds = true;
  const std::size_t n = queries.size;
  const unsigned blocks = blocksFor(n + 1);
  const UploadedGeometry uploaded = uploadGeometry(run.lease(), grid.geometry);
  DeviceBuffer<double> low(run.lease(), grid.dims);
  DeviceBuffer<double> high(run.lease(), grid.dims);
  low.upload(grid.bounds.low);
  high.upload(grid.bounds.high);
  DeviceBuffer<std::uint64_t> all(run.lease(), n);
  DeviceBuffer<std::uint32_t> asks(run.lease(), n + 1);
  queryKeys<<<blocks, kBlockSize, 0, run.stream()>>>(uploaded.geometry, queries.coordinates.data(),
                                                     n, grid.dims, metric, low.data(), high.data(),
                                                     squaredEps, all.data(), asks.data());
  CUDA_CHECK_LAUNCH();
  DeviceBuffer<std::uint32_t> before(run.lease(), n + 1);
  exclusiveScan(run.lease(), asks.data(), before.data(), n + 1);
  grid.others = run.read(before, n);
  if (grid.others == 0) return;
  DeviceBuffer<std::uint64_t> keys(run.lease(), grid.others);
  DeviceBuffer<std::uint32_t> pointOfRank(run.lease(), grid.others);
  keepAsking<<<blocks, kBlockSize, 0, run.stream()>>>(asks.data(), before.data(), all.data(),
                                                      keys.data(), pointOfRank.data(), n);
  CUDA_CHECK_LAUNCH();
  const unsigned otherBlocks = blocksFor(grid.others);
  grid.otherRanks = DeviceBuffer<std::uint32_t>(run.lease(), grid.others);
  numberPoints<<<otherBlocks, kBlockSize, 0, run.stream()>>>(grid.otherRanks.data(), grid.others);
  CUDA_CHECK_LAUNCH();
  sortByKey(run.lease(), keys, grid.otherRanks, std::bit_width(grid.geometry.linearIds() - 1));
  DeviceBuffer<std::uint32_t> points(run.lease(), grid.others);
  pointsOfRanks<<<otherBlocks, kBlockSize, 0, run.stream()>>>(
      grid.otherRanks.data(), pointOfRank.data(), points.data(), grid.others);
  CUDA_CHECK_LAUNCH();
  DeviceBuffer<std::uint32_t> cellOf;
  DeviceBuffer<std::uint64_t> cellIds;
  grid.otherCells = collectCells(run, keys, cellOf, cellIds, grid.otherStart);
  shift(run, cellOf, grid.cells);
  shift(run, grid.otherStart, std::uint32_t(grid.size));
  append(run, grid.cellOf, cellOf);
  append(run, grid.cellIds, cellIds);
  append(run, grid.pointIds, points);
}

void gatherColumns(GpuRun& run, const DeviceCloud& cloud, std::size_t first, std::size_t count,
                   DeviceGrid& grid) {
  for (std::size_t j = 0; j < grid.dims; ++j) {
    gatherColumn<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(
        cloud.column(j), grid.pointIds.data() + first,
        grid.ordered.data() + j * grid.positions() + first, count);
    CUDA_CHECK_LAUNCH();
  }
}

}  // namespace

DeviceGrid buildDeviceGrid(GpuRun& run, const DeviceCloud& cloud, const GridSpec& spec,
                           const DeviceCloud* queries, Metric metric) {
  const GpuPhase phase("grid");
  DeviceGrid grid;
  grid.size = cloud.size;
  grid.dims = cloud.dims;
  grid.bounds = boundsOf(run, cloud);
  grid.geometry = geometryOf(run, cloud, grid.bounds, spec.eps, spec.reach, spec.dims);
  const std::size_t n = grid.size;
  const unsigned blocks = blocksFor(n);
  grid.pointIds = DeviceBuffer<std::uint32_t>(run.lease(), n);
  numberPoints<<<blocks, kBlockSize, 0, run.stream()>>>(grid.pointIds.data(), n);
  CUDA_CHECK_LAUNCH();
  if (spec.sortWithinCells >= 0) {
    // SORTIDU [Gowanlock 2019, §4.3]: sorts are stable, so the second keeps the order within cells.
    DeviceBuffer<std::uint64_t> keys(run.lease(), n);
    coordinateKeys<<<blocks, kBlockSize, 0, run.stream()>>>(
        cloud.column(std::size_t(spec.sortWithinCells)), keys.data(), n);
    CUDA_CHECK_LAUNCH();
    sortByKey(run.lease(), keys, grid.pointIds, 64);
  }
  if (grid.geometry.linearIds() <= 1ULL << 32)
    sortIntoCells<std::uint32_t>(run, cloud, grid);
  else
    sortIntoCells<std::uint64_t>(run, cloud, grid);
  if (queries != nullptr) {
    placeQueries(run, *queries, metric, spec.eps * spec.eps, grid);
    if (grid.others == 0) return grid;
  }
  grid.ordered = DeviceBuffer<double>(run.lease(), grid.positions() * grid.dims);
  gatherColumns(run, cloud, 0, n, grid);
  if (queries != nullptr) gatherColumns(run, *queries, n, grid.others, grid);
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
  const std::size_t n = grid.positions();
  grid.offsets = DeviceBuffer<float>(run.lease(), n * grid.dims);
  for (std::size_t i = 0; i < single.columns.size(); ++i) {
    const OffsetColumn& column = single.columns[i];
    offsetsOf<<<blocksFor(n), kBlockSize, 0, run.stream()>>>(
        column, single.scale, grid.column(std::size_t(column.dimension)),
        grid.offsets.data() + i * n, grid.size, n);
    CUDA_CHECK_LAUNCH();
  }
}

JoinView viewOf(const DeviceGrid& grid, const JoinPlan& plan) {
  JoinView view = viewWithoutArrays(grid.geometry, plan, grid.dims);
  for (std::size_t j = 0; j < grid.dims; ++j) {
    view.columns[j] = grid.column(j);
    if (view.usesSingle) view.single.columns[j] = grid.offsets.data() + j * grid.positions();
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
