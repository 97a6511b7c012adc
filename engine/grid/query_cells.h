#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace clusterloom {

/// The queries of a join in the grid: the points of the grid itself (ownQueries,
/// engine/grid/grid_index.h) or those of another cloud (engine/grid/grid_queries.h). Query i is at
/// position firstQuery + i of the cell-ordered columns.
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

}  // namespace clusterloom
