#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/touched_memory.h"
#include "engine/hybrid/ordered_queries.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// visit(query, point) for every query, in parallel.
template <class Visit>
void forEachQuery(const OrderedQueries& queries, const Visit& visit) {
  if (!queries.points) return;  // a join without queries has no order
  const std::vector<std::uint32_t>& points = *queries.points;
  parallelFor(points.size(), 1 << 14, [&](std::size_t q) { visit(q, points[q]); });
}

/// A table whose rows have space for the neighbours that were counted for each query. `bytesMore`
/// is what the caller will need in addition per pair. TooLarge, Cancelled.
inline Result<NeighbourTable> tableOfCounts(const OrderedQueries& queries,
                                            std::span<const std::uint32_t> countOfQuery,
                                            std::size_t points, std::uint64_t bytesMore,
                                            const Task& task) {
  NeighbourTable table;
  table.offsets.assign(points + 1, 0);
  forEachQuery(queries, [&](std::size_t q, std::uint32_t point) {
    table.offsets[point + std::size_t{1}] = countOfQuery[q];
  });
  std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
  const std::uint64_t pairs = table.offsets.back();
  if (auto fits = checkTableFits(pairs, pairs * (sizeof(std::int32_t) + bytesMore)); !fits)
    return tl::unexpected(fits.error());
  if (!resizeAndTouch(table.ids, pairs, "reserving memory", task)) return cancelledError();
  return table;
}

}  // namespace clusterloom
