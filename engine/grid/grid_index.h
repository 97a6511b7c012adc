#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {

/// The distinct linear ids of points in the order of their cells, and where each cell begins.
struct CellRuns {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> start;  ///< one more than ids
};

/// From the ascending linear ids of points at positions from `first` on. Parallel.
CellRuns cellRunsOf(std::span<const std::uint64_t> sortedIds, std::uint32_t first);

/// The queries of a join in the grid: the points of the grid itself (ownQueries) or those of
/// another cloud (engine/grid/grid_queries.h). Query i is at position firstQuery + i of the
/// cell-ordered columns.
struct QueryCells {
  std::uint32_t firstQuery = 0;             ///< position of the first query
  std::uint32_t firstCell = 0;              ///< number of the first of these cells
  std::span<const std::uint32_t> pointIds;  ///< point of each query
  std::span<const std::uint32_t> ranks;     ///< 0 … size() − 1: of each query by its point
  std::span<const std::uint64_t> ids;       ///< ascending linear ids of the cells that hold queries
  std::span<const std::uint32_t> start;     ///< cell c: positions [start[c], start[c + 1])

  std::size_t size() const { return pointIds.size(); }
  std::size_t cells() const { return ids.size(); }
  std::uint32_t population(std::size_t c) const { return start[c + 1] - start[c]; }
};

/// The input of an index.
struct GridSpec {
  double eps = 1;
  int reach = 1;             ///< cells that one ε spans: 1 as in the papers, 2 for dense sub-cells
  std::vector<int> dims;     ///< indexed dimensions, slowest in the linear id first
  int sortWithinCells = -1;  ///< SORTIDU: dimension to sort each cell's points by; −1: by point id
};

/// The sparse ε-grid of [Gowanlock 2018, §3] over k ≤ n dimensions: only non-empty cells are
/// stored. Its arrays are named after what they hold; the paper's letters are B, G and A (M:
/// below). "Position" is a point's place in cell order.
struct GridIndex {
  double eps = 1;
  CellGeometry geometry;
  std::vector<std::uint64_t> cellIds;  ///< B: ascending linear ids of the non-empty cells
  std::vector<std::uint32_t>
      cellStart;  ///< G: cell c holds positions [cellStart[c], cellStart[c + 1])
  std::vector<std::uint32_t> pointIds;  ///< A: point at each position; ascending within a cell
  /// The cloud in cell order: ordered.columns[j][position]. The queries of another cloud can follow
  /// (engine/grid/grid_queries.h).
  PointCloud ordered;

  std::size_t cells() const { return cellIds.size(); }
  std::size_t size() const { return pointIds.size(); }

  /// Index into cellIds of the first cell whose id is ≥ `linearId`.
  std::size_t firstCellFrom(std::uint64_t linearId) const;
  /// Cell that holds each position, made on request: n entries.
  std::vector<std::uint32_t> cellOfPosition() const;
};

/// The points of the index as the queries of its self-join.
QueryCells ownQueries(const GridIndex& index);

/// The paper's array M: per indexed dimension, the ascending cell coordinates that hold a point.
/// Joins filter the adjacent cells with it before they search for them.
std::vector<std::vector<std::uint32_t>> occupiedCoordinates(
    const CellGeometry& geometry, const std::vector<std::uint64_t>& cellIds);
inline std::vector<std::vector<std::uint32_t>> occupiedCoordinates(const GridIndex& index) {
  return occupiedCoordinates(index.geometry, index.cellIds);
}

/// Builds the index in parallel on the caller's TBB arena. The cloud must satisfy `validate`, eps
/// `epsSquared` (engine/core/predicate.h). Cancelled when stopped.
Result<GridIndex> buildGridIndex(const PointCloud& cloud, const GridSpec& spec, const Task& task);
/// The same with an existing geometry of the cloud for ε.
Result<GridIndex> buildGridIndex(const PointCloud& cloud, double eps, CellGeometry geometry,
                                 int sortWithinCells, const Task& task);

}  // namespace clusterloom
