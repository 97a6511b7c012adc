#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/task.h"
#include "engine/grid/grid_index.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// The order in which query points are processed. Positions in cell order.
struct Schedule {
  std::vector<std::uint32_t> queries;   ///< a permutation of the positions of all queries
  std::vector<std::size_t> batchBegin;  ///< batch b is queries [batchBegin[b], batchBegin[b + 1])
  bool workQueue = false;               ///< threads draw from an atomic head instead of ranges

  std::size_t batches() const { return batchBegin.size() - 1; }
};

/// Workload of the query points of each of `cells`, ascending linear ids: the number of candidates
/// that the pattern examines for one of them (without SORTIDU's narrowing). Half patterns are for
/// the index's own cells. Parallel; undefined when the task was cancelled meanwhile.
std::vector<std::uint64_t> cellWorkloads(const GridIndex& index,
                                         std::span<const std::uint64_t> cells,
                                         AccessPattern pattern, const Task& task);

/// input: by point id. bins: by unit-length bins per indexed dimension [Gowanlock 2019, §3.2.1].
/// cell: as indexed. Batches are strided over that order [Gowanlock 2018, §4.1]. sort-by-workload:
/// input order strided over the batches, each batch sorted by workload, heaviest first [Gallet
/// 2019, §III-C]. work-queue: all sorted, batches are ranges of it with equally many queries
/// [Gallet 2019, §III-D]; engine/join/batch_estimate.h cuts others. Sorting goes cell by cell, as
/// there: points of one cell stay together, so that the lanes of a warp run through the same cells.
/// `cloud` is that of the queries, `dims` are the indexed dimensions, and `workloadOfCell`, by the
/// queries' cells, is used by the sorted orders only. `batches` ≥ 1. Parallel; undefined when the
/// task was cancelled meanwhile.
Schedule makeSchedule(const PointCloud& cloud, const QueryCells& queries,
                      const std::vector<int>& dims,
                      const std::vector<std::uint64_t>& workloadOfCell, QueryOrder order,
                      std::size_t batches, const Task& task);

/// Whether an order is by workload.
constexpr bool isSorted(QueryOrder order) {
  return order == QueryOrder::SortByWorkload || order == QueryOrder::WorkQueue;
}

}  // namespace clusterloom
