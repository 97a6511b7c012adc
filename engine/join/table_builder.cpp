#include "engine/join/table_builder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "engine/core/parallel_for.h"
#include "engine/join/sort_rows.h"

namespace clusterloom {
namespace {

// Rows of `rows` that have entries in this part: [first, last).
std::pair<std::size_t, std::size_t> rowsIn(const SentRows& rows) {
  const std::uint64_t end = rows.first + rows.entries.size();
  const auto& start = rows.rowStart;
  const auto first = std::upper_bound(start.begin(), start.end(), rows.first) - start.begin() - 1;
  const auto last = std::lower_bound(start.begin(), start.end(), end) - start.begin();
  return {std::size_t(first), std::size_t(last)};
}

// Calls visit(row, its entries in this part, how many of it came before).
template <class Visit>
void forEachRow(const SentRows& rows, std::size_t first, std::size_t last, const Visit& visit) {
  const std::uint64_t end = rows.first + rows.entries.size();
  for (std::size_t r = first; r < last; ++r) {
    const std::uint64_t from = std::max(rows.rowStart[r], rows.first);
    const std::uint64_t to = std::min(rows.rowStart[r + 1], end);
    if (from < to)
      visit(r, rows.entries.subspan(from - rows.first, to - from), from - rows.rowStart[r]);
  }
}

// Rows of one batch lie in neighbouring cells, so that many of them have the same neighbours. If
// the thread of each row wrote into its neighbours' rows, threads would wait for each other's cache
// lines. Entries for other rows are therefore gathered by class first, and each class is written by
// one thread.
constexpr std::size_t kClasses = 64;
// Eight cursors share a cache line.
constexpr std::size_t classOf(std::uint32_t row) { return row / 8 % kClasses; }

struct Mirrored {
  std::uint32_t row;
  std::uint32_t id;
};

// The entries of some rows of a part for other rows, class after class.
struct MirroredPart {
  std::array<std::size_t, kClasses + 1> start{};
  std::vector<Mirrored> entries;
};

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
  constexpr std::size_t kRowsPerBlock = 16;
  const auto [first, last] = rowsIn(rows);
  const auto takeRow = [&](std::size_t r, std::span<const std::uint32_t> entries,
                           std::uint64_t before) {
    std::memcpy(table_.ids.data() + table_.offsets[rows.pointOfRow[r]] + before, entries.data(),
                entries.size_bytes());
  };
  parallelForBlocks(last - first, kRowsPerBlock,
                    [&, first = first](std::size_t begin, std::size_t end) {
                      forEachRow(rows, first + begin, first + end, takeRow);
                    });
}

void TableBuilder::takeBothWays(const SentRows& rows) {
  constexpr std::uint32_t kMark = SentRows::kBothWays;
  constexpr std::size_t kEntriesPerPart = std::size_t{1} << 15;
  const auto [first, last] = rowsIn(rows);
  const std::size_t count = last - first;
  const std::size_t parts =
      std::clamp<std::size_t>(rows.entries.size() / kEntriesPerPart, 1, count);
  std::vector<MirroredPart> mirrored(parts);
  parallelFor(parts, 1, [&, first = first](std::size_t number) {
    const std::size_t begin = first + count * number / parts;
    const std::size_t end = first + count * (number + 1) / parts;
    MirroredPart& part = mirrored[number];
    forEachRow(rows, begin, end,
               [&](std::size_t r, std::span<const std::uint32_t> entries, std::uint64_t) {
                 std::uint64_t at = placesIn(rows.pointOfRow[r], entries.size());
                 for (const std::uint32_t entry : entries) {
                   table_.ids[at++] = std::int32_t(entry & ~kMark);
                   part.start[classOf(entry & ~kMark) + 1] += (entry & kMark) != 0;
                 }
               });
    for (std::size_t c = 0; c < kClasses; ++c) part.start[c + 1] += part.start[c];
    part.entries.resize(part.start[kClasses]);
    auto next = part.start;
    forEachRow(
        rows, begin, end,
        [&](std::size_t r, std::span<const std::uint32_t> entries, std::uint64_t) {
          for (const std::uint32_t entry : entries)
            if ((entry & kMark) != 0)
              part.entries[next[classOf(entry & ~kMark)]++] = {entry & ~kMark, rows.pointOfRow[r]};
        });
  });
  parallelFor(kClasses, 1, [&](std::size_t c) {
    for (const MirroredPart& part : mirrored)
      for (std::size_t i = part.start[c]; i < part.start[c + 1]; ++i)
        table_.ids[placesIn(part.entries[i].row, 1)] = std::int32_t(part.entries[i].id);
  });
}

std::uint64_t TableBuilder::placesIn(std::uint32_t row, std::uint64_t entries) {
  return std::atomic_ref(cursors_[row]).fetch_add(entries, std::memory_order_relaxed);
}

bool TableBuilder::finish(const Task& task) {
  return half_ ? sortRows(table_, task) : !task.cancelled();
}

}  // namespace clusterloom
