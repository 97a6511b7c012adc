#include "engine/join/schedule.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>

#include "engine/grid/row_window.h"
#include "engine/grid/sort_by_key.h"
#include "engine/join/lane_program.h"

namespace clusterloom {
namespace {

std::vector<std::uint32_t> inputOrder(const GridIndex& index) {
  std::vector<std::uint32_t> positions(index.size());
  for (std::size_t p = 0; p < index.size(); ++p)
    positions[index.pointIds[p]] = static_cast<std::uint32_t>(p);
  return positions;
}

// Points by the unit-length bin they fall into in each indexed dimension, the input order within.
std::vector<std::uint32_t> binOrder(const PointCloud& cloud, const GridIndex& index,
                                    const Task& task) {
  const std::vector<std::uint32_t> positionOf = inputOrder(index);
  const CellGeometry bins = makeCellGeometry(boundsOf(cloud), 1.0, 1, index.geometry.dims);
  std::vector<std::uint64_t> binOf(cloud.size(), 0);
  for (std::size_t i = 0; i < bins.dims.size(); ++i) {
    const auto& x = cloud.columns[static_cast<std::size_t>(bins.dims[i])];
    for (std::size_t id = 0; id < x.size(); ++id)
      binOf[id] += bins.coordinate(x[id], i) * bins.stride[i];
  }
  std::vector<std::uint32_t> ids(cloud.size());
  std::iota(ids.begin(), ids.end(), 0U);
  sortByKey(binOf, ids, bins.stride.front() * bins.extent.front() - 1, task);
  for (std::uint32_t& id : ids) id = positionOf[id];
  return ids;
}

std::vector<std::uint32_t> strided(const std::vector<std::uint32_t>& order,
                                   const std::vector<std::size_t>& batchBegin) {
  const std::size_t batches = batchBegin.size() - 1;
  std::vector<std::uint32_t> result(order.size());
  for (std::size_t b = 0; b < batches; ++b) {
    std::size_t to = batchBegin[b];
    for (std::size_t i = b; i < order.size(); i += batches) result[to++] = order[i];
  }
  return result;
}

// Heaviest first within each batch, ties in cell order. `batchOf` says which batch a position is
// of.
template <class BatchOf>
std::vector<std::uint32_t> sortedByWorkload(const std::vector<std::uint32_t>& cellOfPosition,
                                            const std::vector<std::uint64_t>& workloadOfCell,
                                            std::size_t batches, const BatchOf& batchOf,
                                            const Task& task) {
  const std::uint64_t most = *std::max_element(workloadOfCell.begin(), workloadOfCell.end());
  std::vector<std::uint32_t> queries(cellOfPosition.size());
  std::iota(queries.begin(), queries.end(), 0U);
  std::vector<std::uint64_t> keys(queries.size());
  for (const std::uint32_t p : queries)
    keys[p] = batchOf(p) * (most + 1) + (most - workloadOfCell[cellOfPosition[p]]);
  sortByKey(keys, queries, batches * (most + 1) - 1, task);
  return queries;
}

}  // namespace

std::vector<std::size_t> stridedBatches(std::size_t n, std::size_t batches) {
  std::vector<std::size_t> begin(batches + 1, 0);
  for (std::size_t b = 0; b < batches; ++b)
    begin[b + 1] = begin[b] + (n + batches - 1 - b) / batches;
  return begin;
}

std::vector<std::uint64_t> cellWorkloads(const GridIndex& index, const JoinView& view,
                                         const Task& task) {
  constexpr std::uint32_t kCellsPerBlock = 512;  // a block looks its rows up afresh once
  const RowWindow window = makeRowWindow(index.geometry);
  const auto& start = index.cellStart;
  std::vector<std::uint64_t> workload(view.cells);
  const auto byRows = [&](RowCursors& cursors, std::uint32_t c) {
    const bool onlyHigher = view.pattern == AccessPattern::LidUnicomp;
    std::uint64_t candidates = onlyHigher ? start[c + 1] - start[c] : 0;
    for (std::size_t row = 0; row < window.offsets.size(); ++row) {
      if (onlyHigher && window.offsets[row] < 0) continue;
      IndexRange cells = cursors.cells(row, c);
      if (onlyHigher) cells.begin = std::max(cells.begin, c + 1);
      if (!cells.empty()) candidates += start[cells.end] - start[cells.begin];
    }
    return candidates;
  };
  const auto byCells = [&](std::uint32_t c) {
    SerialLane lane;
    std::uint64_t candidates = start[c + 1] - start[c];
    visitAdjacentCells<0>(lane, view, c, [&](std::uint32_t other) {
      candidates += start[other + 1] - start[other];
      return false;
    });
    return candidates;
  };
  tbb::parallel_for(
      tbb::blocked_range<std::uint32_t>(0, view.cells, kCellsPerBlock), [&](const auto& range) {
        RowCursors cursors(index, window);
        for (std::uint32_t c = range.begin(); c < range.end(); ++c) {
          if (task.cancelled()) return;
          workload[c] = view.pattern == AccessPattern::Unicomp ? byCells(c) : byRows(cursors, c);
        }
      });
  return workload;
}

Schedule makeSchedule(const PointCloud& cloud, const GridIndex& index,
                      const std::vector<std::uint32_t>& cellOfPosition,
                      const std::vector<std::uint64_t>& workloadOfCell, QueryOrder order,
                      std::size_t batches, const Task& task) {
  Schedule schedule;
  schedule.workQueue = order == QueryOrder::WorkQueue;
  schedule.batchBegin = stridedBatches(index.size(), batches);
  switch (order) {
    case QueryOrder::Cell: {
      std::vector<std::uint32_t> positions(index.size());
      std::iota(positions.begin(), positions.end(), 0U);
      schedule.queries = strided(positions, schedule.batchBegin);
      break;
    }
    case QueryOrder::Bins:
      schedule.queries = strided(binOrder(cloud, index, task), schedule.batchBegin);
      break;
    case QueryOrder::Input:
      schedule.queries = strided(inputOrder(index), schedule.batchBegin);
      break;
    case QueryOrder::SortByWorkload:
      schedule.queries = sortedByWorkload(
          cellOfPosition, workloadOfCell, batches,
          [&](std::uint32_t p) { return index.pointIds[p] % batches; }, task);
      break;
    case QueryOrder::WorkQueue:
      schedule.queries = sortedByWorkload(
          cellOfPosition, workloadOfCell, 1, [](std::uint32_t) { return std::size_t{0}; }, task);
      break;
  }
  return schedule;
}

}  // namespace clusterloom
