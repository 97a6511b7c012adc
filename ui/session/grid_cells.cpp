#include "ui/session/grid_cells.h"

#include <algorithm>

#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

namespace {

/// Calls `visit(range)` for each run of non-empty cells adjacent to `cell` (itself included).
template <class Visit>
void forAdjacentCells(const std::vector<std::uint64_t>& ids,
                      const std::vector<std::int64_t>& offsets, std::int64_t reach,
                      std::size_t cell, Visit visit) {
  for (const std::int64_t offset : offsets) {
    const std::int64_t centre = static_cast<std::int64_t>(ids[cell]) + offset;
    const auto from =
        std::lower_bound(ids.begin(), ids.end(), static_cast<std::uint64_t>(centre - reach));
    const auto to =
        std::lower_bound(from, ids.end(), static_cast<std::uint64_t>(centre + reach + 1));
    if (from != to)
      visit(static_cast<std::size_t>(from - ids.begin()),
            static_cast<std::size_t>(to - ids.begin()));
  }
}

/// Appends the corners of the cell with this linear id.
void addCorners(GridCells& cells, std::uint64_t linearId) {
  const auto coordinates = cells.geometry.coordinatesOf(linearId);
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    cells.low.push_back(cells.geometry.lowEdge(coordinates[j], j));
    cells.high.push_back(cells.geometry.highEdge(coordinates[j], j));
  }
}

}  // namespace

Result<GridCells> gridCellsOf(const PointCloud& cloud, double eps, const Strategy& strategy,
                              const Task& task) {
  // The plan of a run, with whatever a GPU could do allowed: only its dimensions matter here.
  constexpr BackendLimits kAnyBackend{
      .name = "grid", .threadGroups = true, .singlePrecision = true};
  auto plan = planJoin(cloud, eps, strategy, SinkKind::Dbscan, kAnyBackend, task);
  if (!plan) return tl::unexpected(plan.error());
  GridSpec spec;
  spec.eps = eps;
  spec.dims = plan->dims;
  auto index = buildGridIndex(cloud, spec, task);
  if (!index) return tl::unexpected(index.error());

  GridCells cells;
  cells.eps = eps;
  cells.geometry = index->geometry;
  cells.dims = index->geometry.dims;
  cells.linearIds = index->cellIds;
  const std::size_t count = index->cells();

  cells.low.reserve(count * cells.dims.size());
  cells.high.reserve(count * cells.dims.size());
  cells.points.resize(count);
  cells.cellOfPoint.resize(index->size());
  for (std::size_t c = 0; c < count; ++c) {
    addCorners(cells, cells.linearIds[c]);
    cells.points[c] = index->cellStart[c + 1] - index->cellStart[c];
    for (std::uint32_t at = index->cellStart[c]; at < index->cellStart[c + 1]; ++at)
      cells.cellOfPoint[index->pointIds[at]] = static_cast<std::int32_t>(c);
  }

  // Adjacent rows are consecutive ids; cursors find them for all cells in one sweep.
  cells.candidates.resize(count);
  cells.adjacent.resize(count);
  const RowWindow window = makeRowWindow(cells.geometry);
  RowCursors cursors(*index, window);
  for (std::size_t c = 0; c < count; ++c) {
    if (c % 1024 == 0) {
      if (task.cancelled()) return cancelledError();
      task.report("cells", static_cast<double>(c) / static_cast<double>(count));
    }
    for (std::size_t row = 0; row < window.offsets.size(); ++row) {
      const IndexRange range = cursors.cells(row, cells.linearIds[c]);
      if (range.empty()) continue;
      cells.adjacent[c] += range.end - range.begin;
      cells.candidates[c] += index->cellStart[range.end] - index->cellStart[range.begin];
    }
  }
  return cells;
}

GridCells someCellsOf(const CellGeometry& geometry, double eps,
                      const std::vector<std::uint64_t>& cellIds,
                      const std::vector<std::uint32_t>& cellStart,
                      const std::vector<std::uint32_t>& cells) {
  GridCells some;
  some.eps = eps;
  some.geometry = geometry;
  some.dims = geometry.dims;
  for (const std::uint32_t cell : cells) {
    some.linearIds.push_back(cellIds[cell]);
    some.points.push_back(cellStart[cell + 1] - cellStart[cell]);
    addCorners(some, cellIds[cell]);
  }
  return some;
}

CellDescription describeCell(const GridCells& cells, std::int64_t index) {
  CellDescription cell;
  if (index < 0 || static_cast<std::size_t>(index) >= cells.size()) return cell;
  const auto c = static_cast<std::size_t>(index);
  const std::size_t k = cells.dims.size();
  cell.linearId = cells.linearIds[c];
  cell.points = cells.points[c];
  cell.candidates = cells.candidates[c];
  for (std::size_t j = 0; j < k; ++j) {
    cell.low.push_back(cells.low[c * k + j]);
    cell.high.push_back(cells.high[c * k + j]);
  }
  const RowWindow window = makeRowWindow(cells.geometry);
  forAdjacentCells(cells.linearIds, window.offsets, window.reach, c,
                   [&](std::size_t from, std::size_t to) {
                     for (std::size_t other = from; other < to; ++other)
                       if (other != c) cell.adjacent.push_back(static_cast<std::int64_t>(other));
                   });
  std::sort(cell.adjacent.begin(), cell.adjacent.end());
  return cell;
}

CellBoxes cellBoxesOf(const GridCells& cells, const DisplaySpace& space) {
  CellBoxes boxes;
  boxes.axes = space.axes;
  if (space.kind != ViewAxes::Kind::Dimensions) return boxes;
  const std::size_t k = cells.dims.size();
  for (int axis = 0; axis < space.axes; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto found = std::find(cells.dims.begin(), cells.dims.end(), space.dims[a]);
    if (found == cells.dims.end()) {
      boxes.low[a].assign(cells.size(), space.low[a]);
      boxes.high[a].assign(cells.size(), space.high[a]);
      continue;
    }
    const auto j = static_cast<std::size_t>(found - cells.dims.begin());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      boxes.low[a].push_back(cells.low[c * k + j]);
      boxes.high[a].push_back(cells.high[c * k + j]);
    }
  }
  boxes.count.assign(cells.points.begin(), cells.points.end());
  boxes.workload = cells.candidates;
  boxes.linearId = cells.linearIds;
  boxes.adjacent = cells.adjacent;
  return boxes;
}

}  // namespace clusterloom
