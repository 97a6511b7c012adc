#include "ui/session/file_row_set.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "engine/core/infinity.h"
#include "engine/core/memory_budget.h"
#include "ui/session/files.h"
#include "ui/session/run_text.h"

namespace clusterloom {
namespace {

/// Calls `take(block, rows)` with the rows of each block.
Result<void> forEachBlock(
    const StoredPoints& stored, const Task& task,
    const std::function<Result<void>(std::size_t block, std::span<const std::uint32_t> rows)>&
        take) {
  const std::vector<PointBlock>& blocks = stored.outline()->blocks;
  std::vector<std::uint32_t> rows;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (task.cancelled()) return cancelledError();
    task.report("reading", double(b) / double(blocks.size()));
    rows.resize(blocks[b].count);
    if (auto done = stored.readRows(b, rows); !done) return done;
    if (auto done = take(b, rows); !done) return done;
  }
  return {};
}

bool isWithin(const PointBlock& block, const DisplayBox& box) {
  for (std::size_t a = 0; a < 3; ++a)
    if (double(block.low[a]) < box.low[a] || double(block.high[a]) > box.high[a]) return false;
  return true;
}

}  // namespace

void FileRowSet::add(std::uint64_t row) {
  if (row >= rows.size()) rows.resize(std::max<std::uint64_t>(row + 1, 2 * rows.size()));
  if (rows[row]) return;
  rows[row] = true;
  ++count;
}

void FileRowSet::remove(const FileRowSet& others) {
  const std::size_t last = std::min(rows.size(), others.rows.size());
  for (std::size_t row = 0; row < last; ++row) {
    if (!rows[row] || !others.rows[row]) continue;
    rows[row] = false;
    --count;
  }
}

bool sameRows(const FileRowSelection& a, const FileRowSelection& b) {
  if (a == b) return true;
  if (!a || !b || a->count != b->count) return false;
  for (std::size_t row = 0; row < a->rows.size(); ++row)
    if (a->rows[row] && !b->has(row)) return false;
  return true;
}

QString rowsText(const FileRowSet& set) {
  RunText text;
  const auto end = set.rows.end();
  for (auto run = std::find(set.rows.begin(), end, true);
       run != end && text.size() <= std::size_t{kMostSmallFile};) {
    const auto after = std::find(run, end, false);
    text.add(std::uint64_t(run - set.rows.begin()), std::uint64_t(after - run));
    run = std::find(after, end, true);
  }
  return text.text();
}

FileRowSelection rowsFrom(const QString& text, std::uint64_t of) {
  // As many as can be stored for drawing.
  constexpr std::uint64_t kEnd = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t last = 0;
  const bool isWhole = forEachRun(
      text, kEnd, [&](std::uint64_t first, std::uint64_t length) { last = first + length; });
  // A few bytes may name all.
  if (!isWhole || last == 0 || last / 8 > availableMemory() / 2) return nullptr;
  FileRowSet set;
  set.rows.resize(last);
  forEachRun(text, kEnd, [&](std::uint64_t first, std::uint64_t length) {
    const auto run = set.rows.begin() + std::ptrdiff_t(first);
    std::fill(run, run + std::ptrdiff_t(length), true);
    set.count += length;
  });
  if (set.count > of) return nullptr;
  set.of = of;
  set.isComplete = true;
  return std::make_shared<const FileRowSet>(std::move(set));
}

Result<FileRowSet> allRows(const StoredPoints& stored, const Task& task) {
  FileRowSet all;
  const auto take = [&](std::size_t, std::span<const std::uint32_t> rows) -> Result<void> {
    for (const std::uint32_t row : rows) all.add(row);
    return {};
  };
  if (auto done = forEachBlock(stored, task, take); !done) return tl::unexpected(done.error());
  all.of = all.count;
  all.isComplete = true;
  return all;
}

Result<FileRowSet> rowsOfClusters(const StoredPoints& stored, const StoredLabels& labels,
                                  const std::set<std::int32_t>& clusters,
                                  const FileRowSelection& within, const Task& task) {
  FileRowSet found;
  std::vector<std::int32_t> some;
  const auto take = [&](std::size_t block, std::span<const std::uint32_t> rows) -> Result<void> {
    some.resize(rows.size());
    if (auto done = labels.read(block, some); !done) return done;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (clusters.contains(some[i]) && (!within || within->has(rows[i]))) found.add(rows[i]);
    return {};
  };
  if (auto done = forEachBlock(stored, task, take); !done) return tl::unexpected(done.error());
  found.of = within ? within->count : stored.size();
  found.isComplete = true;
  return found;
}

Result<DisplayBox> boxOfRows(const StoredPoints& stored, const FileRowSet& set, const Task& task) {
  DisplayBox box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  const auto isChosen = [&](std::uint32_t row) { return set.has(row); };
  const auto take = [&](std::size_t b, std::span<const std::uint32_t> rows) -> Result<void> {
    // Most blocks cannot make it larger: their places are not read.
    if (isWithin(stored.outline()->blocks[b], box) || std::ranges::none_of(rows, isChosen))
      return {};
    const auto block = stored.read(b);
    if (!block) return tl::unexpected(block.error());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t a = 0; a < 3 && isChosen(rows[i]); ++a) {
        const auto value = double(block->xyz[3 * i + a]);
        box.low[a] = std::min(box.low[a], value);
        box.high[a] = std::max(box.high[a], value);
      }
    return {};
  };
  if (auto done = forEachBlock(stored, task, take); !done) return tl::unexpected(done.error());
  return std::isfinite(box.low[0]) ? box : stored.outline()->box;
}

}  // namespace clusterloom
