#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "engine/core/task.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// Sorts each row of a table, on all threads. False when the task was stopped.
inline bool sortRows(NeighbourTable& table, const Task& task) {
  constexpr std::size_t kRowsAtOnce = 1024;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, table.offsets.size() - 1, kRowsAtOnce),
                    [&](const auto& range) {
                      for (std::size_t p = range.begin(); p < range.end() && !task.cancelled(); ++p)
                        std::sort(table.ids.begin() + std::ptrdiff_t(table.offsets[p]),
                                  table.ids.begin() + std::ptrdiff_t(table.offsets[p + 1]));
                    });
  return !task.cancelled();
}

}  // namespace clusterloom
