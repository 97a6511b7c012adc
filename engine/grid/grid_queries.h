#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/grid/grid_index.h"

namespace clusterloom {

// The queries of a join of two clouds in the grid of the other cloud, B. The cell of a query x is
// that of x clamped, coordinate by coordinate, into the bounding box of B.
//
// That loses no pair. Let lo and hi bound dimension j of B, y be a coordinate of B there, and c =
// min(max(x, lo), hi). Where x < lo, x < c = lo ≤ y, so fl(y − c) ≤ fl(y − x), since rounding is
// monotone; likewise where x > hi. So clamping never increases a rounded difference's magnitude,
// or its rounded square, or a canonical sum of such squares: where the predicate accepts (x, y) it
// accepts (c, y) too. c lies in the range of B, for which the contract of the geometry holds,
// whether its cells have one length or are slices: c and y lie at most `reach` cells apart. The
// padding of the grid is that of B.
//
// By the same monotonicity the canonical squared distance of x and its clamped self is at most that
// of x and any point of B: a query for which it exceeds ε² has no neighbour and is left out.

/// The queries that may have neighbours, in the order of their cells.
struct GridQueries {
  std::vector<std::uint32_t> pointIds;  ///< point of each query; ascending within a cell
  std::vector<std::uint32_t> ranks;     ///< of each query by its point; without those left out
  CellRuns cells;                       ///< positions follow those of the grid's points
};

/// In place of a cell for a query that is left out.
inline constexpr std::uint64_t kNoCell = ~std::uint64_t{0};

/// The linear ids of the cells of queries `begin`, `begin` + 1, …, as many as `ids` has room for;
/// kNoCell for those left out. `bounds` are those of the indexed cloud.
void queryCellIds(const CellGeometry& geometry, const Bounds& bounds, double squaredEps,
                  const PointCloud& queries, std::size_t begin, std::span<std::uint64_t> ids);

/// Places the queries and appends their coordinates to index.ordered: positions
/// [index.size(), index.size() + queries) hold them. In parallel on the caller's TBB arena.
/// Cancelled when stopped.
Result<GridQueries> addQueries(const PointCloud& queries, const Bounds& bounds, double squaredEps,
                               GridIndex& index, const Task& task);

/// The queries by the cells that hold them. Their numbers follow those of the grid's cells.
QueryCells queryCells(const GridIndex& index, const GridQueries& queries);

}  // namespace clusterloom
