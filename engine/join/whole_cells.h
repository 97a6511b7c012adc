#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/task.h"
#include "engine/grid/grid_index.h"

namespace clusterloom {

/// Pairs that bounding boxes decide without a distance. For a cell of queries among `decided`,
/// every pair of its queries with the points of the cells around it falls into a bin that the boxes
/// of the two cells prove, so that counts are products of populations. This also decides equal
/// points, which would take n² distances.
struct WholeCells {
  std::vector<std::uint8_t> decided;      ///< per cell of queries
  std::vector<std::uint32_t> neighbours;  ///< per decided cell: pairs of each of its queries
  std::vector<std::uint64_t> pairs;       ///< per bin: ordered pairs of all decided cells
  std::uint64_t distances = 0;            ///< what a join would have decided, pairs beyond ε too
  std::uint64_t allPairs() const;
};

/// Looks at the cells of many queries. `squaredEdges` are the ascending upper edges of the bins, as
/// squared distances; the last is ε². Rounding is monotone, so the canonical expressions at the
/// extremes of two boxes bound those of every pair between them (engine/core/predicate.h).
/// Undefined when the task was cancelled meanwhile.
WholeCells decideWholeCells(const GridIndex& index, const QueryCells& queries,
                            std::span<const double> squaredEdges, const Task& task);

}  // namespace clusterloom
