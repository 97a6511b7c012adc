#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/grid/grid_index.h"
#include "engine/join/join_view.h"
#include "engine/join/strategy.h"
#include "engine/result.h"

namespace clusterloom {

/// Which query points are handed out when. Positions in cell order.
struct Schedule {
  std::vector<std::uint32_t> queries;   ///< a permutation of all positions
  std::vector<std::size_t> batchBegin;  ///< batch b is queries [batchBegin[b], batchBegin[b + 1])
  bool workQueue = false;               ///< threads draw from an atomic head instead of ranges

  std::size_t batches() const { return batchBegin.size() - 1; }
};

/// Workload of the query points of each cell: the number of candidates that the view's pattern
/// examines for one of them (without SORTIDU's narrowing). Parallel.
std::vector<std::uint64_t> cellWorkloads(const JoinView& view);

/// input: by point id. bins: by unit-length bins per indexed dimension (003 §3.2.1). cell: as
/// indexed. Batches are strided over that order (001 §4.1). sort-by-workload: input order strided
/// over the batches, each batch sorted by workload, heaviest first (000 §III-C). work-queue: all
/// sorted, batches are ranges of it (000 §III-D). `batches` ≥ 1.
Schedule makeSchedule(const PointCloud& cloud, const GridIndex& index, const JoinView& view,
                      const std::vector<std::uint32_t>& cellOfPosition, QueryOrder order,
                      std::size_t batches);

}  // namespace clusterloom
