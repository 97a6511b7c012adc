#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {

/// visit(query, point) for every query, in parallel.
template <class Visit>
void forEachQuery(const OrderedQueries& queries, const Visit& visit) {
  if (!queries.points) return;  // a join without queries has no order
  const std::vector<std::uint32_t>& points = *queries.points;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, points.size(), 1 << 14),
                    [&](const auto& range) {
                      for (std::size_t q = range.begin(); q < range.end(); ++q) visit(q, points[q]);
                    });
}

}  // namespace clusterloom
