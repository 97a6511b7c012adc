#include "engine/cuda/join/results/table_builder.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/cuda/join/kernels/sinks.h"
#include "engine/join/sort_rows.h"

namespace clusterloom {
namespace {

constexpr std::size_t kRowsPerBlock = 16;

// Rows of `rows` that have entries in this part: [first, last).
std::pair<std::size_t, std::size_t> rowsIn(const SentRows& rows) {
  const std::uint64_t end = rows.first + rows.entries.size();
  const auto& start = rows.rowStart;
  const auto first = std::upper_bound(start.begin(), start.end(), rows.first) - start.begin() - 1;
  const auto last = std::lower_bound(start.begin(), start.end(), end) - start.begin();
  return {std::size_t(first), std::size_t(last)};
}

// Calls visit(row, its entries in this part, how many of it came before), in parallel.
template <class Visit>
void forEachRow(const SentRows& rows, const Visit& visit) {
  const auto [first, last] = rowsIn(rows);
  const std::uint64_t end = rows.first + rows.entries.size();
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(first, last, kRowsPerBlock), [&](const auto& range) {
        for (std::size_t r = range.begin(); r < range.end(); ++r) {
          const std::uint64_t from = std::max(rows.rowStart[r], rows.first);
          const std::uint64_t to = std::min(rows.rowStart[r + 1], end);
          if (from < to)
            visit(r, rows.entries.subspan(from - rows.first, to - from), from - rows.rowStart[r]);
        }
      });
}

}  // namespace

TableBuilder::TableBuilder(NeighbourTable& table, bool half) : table_(table), half_(half) {
  if (half_) cursors_.assign(table_.offsets.begin(), table_.offsets.end() - 1);
}

void TableBuilder::take(const SentRows& rows) {
  if (rows.entries.empty()) return;
  if (half_)
    takeBothWays(rows);
  else
    takeWhole(rows);
}

void TableBuilder::takeWhole(const SentRows& rows) {
  forEachRow(rows,
             [&](std::size_t r, std::span<const std::uint32_t> entries, std::uint64_t before) {
               std::memcpy(table_.ids.data() + table_.offsets[rows.pointOfRow[r]] + before,
                           entries.data(), entries.size_bytes());
             });
}

void TableBuilder::takeBothWays(const SentRows& rows) {
  constexpr std::uint32_t kBothWays = LaneFillSink<SerialLane>::kBothWays;
  const auto put = [&](std::uint32_t row, std::uint32_t id) {
    const std::uint64_t at = std::atomic_ref(cursors_[row]).fetch_add(1, std::memory_order_relaxed);
    table_.ids[at] = std::int32_t(id);
  };
  forEachRow(rows, [&](std::size_t r, std::span<const std::uint32_t> entries, std::uint64_t) {
    const std::uint32_t point = rows.pointOfRow[r];
    for (const std::uint32_t entry : entries) {
      const std::uint32_t neighbour = entry & ~kBothWays;
      put(point, neighbour);
      if ((entry & kBothWays) != 0) put(neighbour, point);
    }
  });
}

bool TableBuilder::finish(const Task& task) {
  return half_ ? sortRows(table_, task) : !task.cancelled();
}

}  // namespace clusterloom
