#include "engine/join/schedule.h"

#include <algorithm>
#include <numeric>

#include "engine/core/parallel_for.h"
#include "engine/core/profiler_range.h"
#include "engine/grid/row_window.h"
#include "engine/grid/sort_by_key.h"

namespace clusterloom {
namespace {

std::vector<std::uint32_t> inputOrder(const QueryCells& queries) {
  std::vector<std::uint32_t> positions(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i)
    positions[queries.ranks[i]] = queries.firstQuery + std::uint32_t(i);
  return positions;
}

// Points by the unit-length bin they fall into in each indexed dimension, the input order within.
// The order is unspecified when the task is stopped.
std::vector<std::uint32_t> binOrder(const PointCloud& cloud, const QueryCells& queries,
                                    const std::vector<int>& dims, const Task& task) {
  std::vector<std::uint32_t> positions = inputOrder(queries);
  const auto made = makeCellGeometry(cloud, boundsOf(cloud), 1.0, 1, dims, task);
  if (!made) return positions;
  const CellGeometry& bins = *made;
  std::vector<std::uint64_t> binOf(positions.size(), 0);
  for (std::size_t i = 0; i < bins.dims.size(); ++i) {
    if (task.cancelled()) return positions;
    const auto& x = cloud.columns[std::size_t(bins.dims[i])];
    for (std::size_t rank = 0; rank < positions.size(); ++rank)
      binOf[rank] += bins.coordinate(x[queries.pointIds[positions[rank] - queries.firstQuery]], i) *
                     bins.stride[i];
  }
  sortByKey(binOf, positions, bins.linearIds() - 1, task);
  return positions;
}

std::vector<std::uint32_t> cellOrder(const QueryCells& queries) {
  std::vector<std::uint32_t> positions(queries.size());
  std::iota(positions.begin(), positions.end(), queries.firstQuery);
  return positions;
}

// First query of each batch, and n, when query i of n goes to batch i mod `batches`.
std::vector<std::size_t> stridedBatches(std::size_t n, std::size_t batches) {
  std::vector<std::size_t> begin(batches + 1, 0);
  for (std::size_t b = 0; b < batches; ++b)
    begin[b + 1] = begin[b] + (n + batches - 1 - b) / batches;
  return begin;
}

// An order dealt to batches: query i goes to batch i mod `batches`, and the batches follow each
// other.
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

// Heaviest first within each batch, ties in cell order. `batchOf` says which batch query i is of.
template <class BatchOf>
std::vector<std::uint32_t> sortedByWorkload(const QueryCells& queries,
                                            const std::vector<std::uint64_t>& workloadOfCell,
                                            std::size_t batches, const BatchOf& batchOf,
                                            const Task& task) {
  std::vector<std::uint32_t> positions = cellOrder(queries);
  if (positions.empty()) return positions;
  const std::uint64_t most = *std::max_element(workloadOfCell.begin(), workloadOfCell.end());
  std::vector<std::uint64_t> keys(queries.size());
  for (std::size_t c = 0; c < queries.cells(); ++c)
    for (std::uint32_t p = queries.start[c]; p < queries.start[c + 1]; ++p) {
      const std::size_t i = p - queries.firstQuery;
      keys[i] = batchOf(i) * (most + 1) + (most - workloadOfCell[c]);
    }
  sortByKey(keys, positions, batches * (most + 1) - 1, task);
  return positions;
}

// Cells that a pattern compares a cell with: ids within `reach` of the own id + offset, of cells
// whose coordinate in indexed dimension `oddIn` is odd (−1: of all).
struct PatternRow {
  std::int64_t offset = 0;
  std::int64_t reach = 0;
  int oddIn = -1;
};

std::vector<PatternRow> rowsOf(const GridIndex& index, AccessPattern pattern) {
  std::vector<PatternRow> rows;
  if (pattern == AccessPattern::Unicomp) {  // as visitAdjacentCells
    rows.push_back({});
    std::vector<std::int64_t> free{0};  // of the dimensions before
    for (std::size_t i = 0; i < index.geometry.dims.size(); ++i) {
      const auto stride = std::int64_t(index.geometry.stride[i]);
      std::vector<std::int64_t> longer;
      for (const std::int64_t offset : free)
        for (const std::int64_t step : {-1, 0, 1}) {
          longer.push_back(offset + step * stride);
          if (step != 0) rows.push_back({longer.back(), 0, int(i)});
        }
      free = std::move(longer);
    }
    return rows;
  }
  const bool onlyHigher = pattern == AccessPattern::LidUnicomp;
  if (onlyHigher) rows = {{0, 0}, {1, 0}};  // of the own row: the own cell and the next
  for (const std::int64_t offset : makeRowWindow(index.geometry).offsets)
    if (!onlyHigher || offset > 0) rows.push_back({offset, 1});
  return rows;
}

// Of cells [first, last): bit i says whether the coordinate in indexed dimension i is odd.
std::vector<std::uint8_t> oddCoordinates(const GridIndex& index,
                                         std::span<const std::uint64_t> cells, std::uint32_t first,
                                         std::uint32_t last) {
  std::vector<std::uint8_t> odd(last - first, 0);
  for (std::uint32_t c = first; c < last; ++c) {
    std::uint64_t rest = cells[c];
    for (std::size_t i = 0; i < index.geometry.dims.size(); ++i) {
      odd[c - first] |= std::uint8_t((rest / index.geometry.stride[i] & 1U) << i);
      rest %= index.geometry.stride[i];
    }
  }
  return odd;
}

// Adds, for cells [first, last), the points in one of the pattern's rows. The row's window only
// moves forward from cell to cell.
void addRow(const GridIndex& index, std::span<const std::uint64_t> cells, const PatternRow& row,
            std::uint32_t first, std::uint32_t last, const std::vector<std::uint8_t>& odd,
            std::vector<std::uint64_t>& workload) {
  const std::vector<std::uint64_t>& ids = index.cellIds;
  const std::size_t all = ids.size();
  const auto from = [&](std::size_t c) { return cells[c] + row.offset - row.reach; };
  std::size_t begin = index.firstCellFrom(from(first));
  std::size_t end = begin;
  for (std::size_t c = first; c < last; ++c) {
    if (row.oddIn >= 0 && (odd[c - first] >> row.oddIn & 1) == 0) continue;
    const std::uint64_t low = from(c);
    const std::uint64_t high = low + 2 * std::uint64_t(row.reach);
    while (begin < all && ids[begin] < low) ++begin;
    end = std::max(begin, end);
    while (end < all && ids[end] <= high) ++end;
    workload[c] += index.cellStart[end] - index.cellStart[begin];
  }
}

}  // namespace

std::vector<std::uint64_t> cellWorkloads(const GridIndex& index,
                                         std::span<const std::uint64_t> cells,
                                         AccessPattern pattern, const Task& task) {
  constexpr std::uint32_t kCellsPerBlock = 2048;  // a block looks its rows up once
  const std::vector<PatternRow> rows = rowsOf(index, pattern);
  std::vector<std::uint64_t> workload(cells.size(), 0);
  const auto count = std::uint32_t(cells.size());
  parallelForBlocks<std::uint32_t>(count, kCellsPerBlock,
                                   [&](std::uint32_t begin, std::uint32_t end) {
                                     const auto odd = oddCoordinates(index, cells, begin, end);
                                     for (const PatternRow& row : rows) {
                                       if (task.cancelled()) return;
                                       addRow(index, cells, row, begin, end, odd, workload);
                                     }
                                   });
  return workload;
}

Schedule makeSchedule(const PointCloud& cloud, const QueryCells& queries,
                      const std::vector<int>& dims,
                      const std::vector<std::uint64_t>& workloadOfCell, QueryOrder order,
                      std::size_t batches, const Task& task) {
  const ProfilerRange profiled("schedule");
  Schedule schedule;
  schedule.workQueue = order == QueryOrder::WorkQueue;
  schedule.batchBegin = stridedBatches(queries.size(), batches);
  switch (order) {
    case QueryOrder::Cell:
      schedule.queries = strided(cellOrder(queries), schedule.batchBegin);
      break;
    case QueryOrder::Bins:
      schedule.queries = strided(binOrder(cloud, queries, dims, task), schedule.batchBegin);
      break;
    case QueryOrder::Input:
      schedule.queries = strided(inputOrder(queries), schedule.batchBegin);
      break;
    case QueryOrder::SortByWorkload:
      schedule.queries = sortedByWorkload(
          queries, workloadOfCell, batches,
          [&](std::size_t i) { return queries.ranks[i] % batches; }, task);
      break;
    case QueryOrder::WorkQueue:
      schedule.queries = sortedByWorkload(
          queries, workloadOfCell, 1, [](std::size_t) { return std::size_t{0}; }, task);
      break;
  }
  return schedule;
}

}  // namespace clusterloom
