#include "ui/session/file_row_set.h"

#include <algorithm>
#include <functional>
#include <span>

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
                                  const std::set<std::int32_t>& clusters, const Task& task) {
  FileRowSet found;
  std::vector<std::int32_t> some;
  const auto take = [&](std::size_t block, std::span<const std::uint32_t> rows) -> Result<void> {
    some.resize(rows.size());
    if (auto done = labels.read(block, some); !done) return done;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (clusters.contains(some[i])) found.add(rows[i]);
    return {};
  };
  if (auto done = forEachBlock(stored, task, take); !done) return tl::unexpected(done.error());
  found.of = stored.size();
  found.isComplete = true;
  return found;
}

}  // namespace clusterloom
