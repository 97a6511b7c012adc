#include "engine/grid/grid_index.h"

#include <algorithm>
#include <numeric>

#include "engine/core/chunks.h"
#include "engine/core/large_array.h"
#include "engine/core/large_pages.h"
#include "engine/core/parallel_for.h"
#include "engine/core/profiler_range.h"
#include "engine/core/run_both.h"
#include "engine/grid/sort_by_key.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPointsPerBlock = 16384;

// The linear id of each point, and the points in their own order.
void startRecords(const PointCloud& cloud, const CellGeometry& geometry,
                  std::span<std::uint64_t> ids, std::span<std::uint32_t> points, const Task& task) {
  parallelForBlocks(cloud.size(), kPointsPerBlock, task, [&](std::size_t begin, std::size_t end) {
    geometry.linearIds(cloud, begin, ids.subspan(begin, end - begin));
    for (std::size_t p = begin; p < end; ++p) points[p] = std::uint32_t(p);
  });
}

// Fills pointIds, cellIds and cellStart, unless stopped.
void sortIntoCells(const PointCloud& cloud, GridIndex& index, const Task& task) {
  resizeOnLargePages(index.pointIds, cloud.size(), task);
  if (task.cancelled()) return;
  LargeArray<std::uint64_t> ids(cloud.size());
  startRecords(cloud, index.geometry, ids, index.pointIds, task);
  if (!sortByKey(ids, index.pointIds, index.geometry.linearIds() - 1, task)) return;
  CellRuns cells = cellRunsOf(ids, 0);
  index.cellIds = std::move(cells.ids);
  index.cellStart = std::move(cells.start);
}

// SORTIDU [Gowanlock 2019, §4.3]: the points of each cell by one coordinate, ties by id.
void sortWithinCells(const PointCloud& cloud, int dimension, GridIndex& index) {
  withValues(cloud.columns[std::size_t(dimension)], [&](auto x) {
    parallelFor(index.cells(), 256, [&](std::size_t c) {
      std::sort(
          index.pointIds.begin() + index.cellStart[c],
          index.pointIds.begin() + index.cellStart[c + 1],
          [x](std::uint32_t a, std::uint32_t b) { return x[a] != x[b] ? x[a] < x[b] : a < b; });
    });
  });
}

// Memory for the ordered columns, a column a thread: its first touch takes as long as a sort.
void makeColumns(const PointCloud& cloud, GridIndex& index, const Task& task) {
  index.ordered.names = cloud.names;
  index.ordered.columns.resize(cloud.dims());
  const auto make = [&](std::size_t j) {
    resizeOnLargePages(index.ordered.columns[j].own(), cloud.size(), task);
  };
  if (cloud.size() < kWorthAnotherThread)
    for (std::size_t j = 0; j < cloud.dims(); ++j) make(j);
  else
    parallelFor(cloud.dims(), 1, make);
}

void gatherColumns(const PointCloud& cloud, GridIndex& index, const Task& task) {
  parallelForBlocks(cloud.size(), kPointsPerBlock, task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < cloud.dims(); ++j) {
      double* to = index.ordered.columns[j].data();
      withValues(cloud.columns[j], [&](auto from) {
        for (std::size_t p = begin; p < end; ++p) to[p] = from[index.pointIds[p]];
      });
    }
  });
}

}  // namespace

CellRuns cellRunsOf(std::span<const std::uint64_t> sortedIds, std::uint32_t first) {
  constexpr std::size_t kCellsPerTask = 16384;
  const std::size_t n = sortedIds.size();
  const auto startsCell = [&](std::size_t p) { return p == 0 || sortedIds[p] != sortedIds[p - 1]; };
  std::vector<std::size_t> before(chunksOf(n, kCellsPerTask) + 1, 0);
  forChunks(n, kCellsPerTask, [&](std::size_t b, std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t p = begin; p < end; ++p) count += startsCell(p);
    before[b + 1] = count;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  CellRuns runs;
  runBoth(
      n, [&] { runs.ids.resize(before.back()); }, [&] { runs.start.resize(before.back() + 1); });
  forChunks(n, kCellsPerTask, [&](std::size_t b, std::size_t begin, std::size_t end) {
    std::size_t cell = before[b];
    for (std::size_t p = begin; p < end; ++p)
      if (startsCell(p)) {
        runs.ids[cell] = sortedIds[p];
        runs.start[cell++] = first + std::uint32_t(p);
      }
  });
  runs.start.back() = first + std::uint32_t(n);
  return runs;
}

std::size_t GridIndex::firstCellFrom(std::uint64_t linearId) const {
  return std::size_t(std::lower_bound(cellIds.begin(), cellIds.end(), linearId) - cellIds.begin());
}

std::vector<std::uint32_t> GridIndex::cellOfPosition() const {
  std::vector<std::uint32_t> cell(size());
  parallelFor(cells(), 1024, [&](std::size_t c) {
    std::fill(cell.begin() + cellStart[c], cell.begin() + cellStart[c + 1], std::uint32_t(c));
  });
  return cell;
}

QueryCells ownQueries(const GridIndex& index) {
  return {.pointIds = index.pointIds,
          .ranks = index.pointIds,
          .ids = index.cellIds,
          .start = index.cellStart};
}

std::vector<std::vector<std::uint32_t>> occupiedCoordinates(
    const CellGeometry& geometry, const std::vector<std::uint64_t>& cellIds) {
  const std::size_t k = geometry.dims.size();
  std::vector<std::vector<std::uint32_t>> occupied(k);
  const auto collect = [&](std::size_t i) {
    auto& coordinates = occupied[i];
    const std::uint64_t stride = geometry.stride[i];
    const std::uint64_t extent = geometry.extent[i];
    for (const std::uint64_t id : cellIds) {
      const auto coordinate = std::uint32_t(id / stride % extent);
      if (coordinates.empty() || coordinates.back() != coordinate)
        coordinates.push_back(coordinate);
    }
    std::sort(coordinates.begin(), coordinates.end());
    coordinates.erase(std::unique(coordinates.begin(), coordinates.end()), coordinates.end());
    coordinates.shrink_to_fit();
  };
  if (cellIds.size() < kPointsPerBlock)
    for (std::size_t i = 0; i < k; ++i) collect(i);
  else
    parallelFor(k, 1, collect);
  return occupied;
}

Result<GridIndex> buildGridIndex(const PointCloud& cloud, const GridSpec& spec, const Task& task) {
  if (task.cancelled()) return cancelledError();
  auto geometry = makeCellGeometry(cloud, boundsOf(cloud), spec.eps, spec.reach, spec.dims, task);
  if (!geometry) return tl::unexpected(geometry.error());
  return buildGridIndex(cloud, spec.eps, std::move(*geometry), spec.sortWithinCells, task);
}

Result<GridIndex> buildGridIndex(const PointCloud& cloud, double eps, CellGeometry geometry,
                                 int sortWithin, const Task& task) {
  const ProfilerRange profiled("grid");
  GridIndex index;
  index.eps = eps;
  index.geometry = std::move(geometry);
  if (task.cancelled()) return cancelledError();
  runBoth(
      cloud.size(), [&] { sortIntoCells(cloud, index, task); },
      [&] { makeColumns(cloud, index, task); });
  if (task.cancelled()) return cancelledError();
  if (sortWithin >= 0) sortWithinCells(cloud, sortWithin, index);
  if (task.cancelled()) return cancelledError();
  gatherColumns(cloud, index, task);
  if (task.cancelled()) return cancelledError();
  return index;
}

}  // namespace clusterloom
