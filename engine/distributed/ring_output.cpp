#include "engine/distributed/ring_output.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/distributed/selection.h"
#include "engine/distributed/shared_file.h"
#include "engine/io/npy/npy_header.h"

namespace clusterloom {
namespace {

template <class To>
std::vector<To> narrowed(const std::vector<std::uint64_t>& values) {
  return {values.begin(), values.end()};
}

// The rows of this rank's part, moved to the ranks whose blocks they belong to: ids by row.
struct BlockRows {
  std::uint64_t first = 0;  // row of the cloud
  std::vector<std::uint64_t> lengths;
  std::vector<std::vector<std::int64_t>> fromEach;  // the rows of each rank's part in turn
};

Result<BlockRows> rowsToBlock(Communicator& communicator, const RingTable& table,
                              std::uint64_t points, const Task& task) {
  const auto ranks = std::uint64_t(communicator.size());
  const auto rank = std::uint64_t(communicator.rank());
  BlockRows rows;
  rows.first = blockBegin(points, ranks, rank);
  std::vector<std::uint64_t> lengths(table.offsets.size() - 1);
  for (std::size_t i = 0; i < lengths.size(); ++i)
    lengths[i] = table.offsets[i + 1] - table.offsets[i];
  auto moved = partToBlock(communicator, std::span<const std::uint64_t>(lengths), points, task);
  if (!moved) return tl::unexpected(moved.error());
  rows.lengths = std::move(*moved);
  std::vector<std::span<const std::int64_t>> toEach;
  for (std::uint64_t b = 0; b < ranks; ++b) {
    const std::uint64_t begin = table.offsets[partSize(blockBegin(points, ranks, b), ranks, rank)];
    const std::uint64_t end =
        table.offsets[partSize(blockBegin(points, ranks, b + 1), ranks, rank)];
    toEach.push_back(std::span(table.ids).subspan(begin, end - begin));
  }
  auto fromEach = communicator.exchange(toEach, task);
  if (!fromEach) return tl::unexpected(fromEach.error());
  rows.fromEach = std::move(*fromEach);
  return rows;
}

// The values of this rank's block of points at their rows of the file; the ranks' answers follow
// each other without a gap.
std::vector<std::uint64_t> atRows(Communicator& communicator, std::vector<std::uint64_t> block,
                                  std::uint64_t points, const FileRows& rowOf) {
  if (rowOf.areThePoints()) return block;
  const auto ranks = std::uint64_t(communicator.size());
  const auto rank = std::uint64_t(communicator.rank());
  const std::uint64_t first = blockBegin(points, ranks, rank);
  const std::uint64_t begin = rank == 0 ? 0 : rowOf(first);
  const std::uint64_t end = rowOf(rank + 1 == ranks ? points : blockBegin(points, ranks, rank + 1));
  std::vector<std::uint64_t> values(end - begin, 0);
  for (std::size_t i = 0; i < block.size(); ++i) values[rowOf(first + i) - begin] = block[i];
  return values;
}

template <class Id>
std::vector<Id> pairsOf(const BlockRows& rows, const FileRows& rowOf) {
  std::vector<Id> pairs;
  std::uint64_t all = 0;
  for (const std::uint64_t length : rows.lengths) all += length;
  pairs.reserve(2 * all);
  std::vector<std::size_t> next(rows.fromEach.size(), 0);
  for (std::size_t i = 0; i < rows.lengths.size(); ++i) {
    const std::uint64_t p = rows.first + i;
    const std::size_t part = p % rows.fromEach.size();
    const Id row = static_cast<Id>(rowOf(p));
    for (std::uint64_t e = 0; e < rows.lengths[i]; ++e) {
      const auto q = std::uint64_t(rows.fromEach[part][next[part]++]);
      pairs.push_back(row);
      pairs.push_back(static_cast<Id>(rowOf(q)));
    }
  }
  return pairs;
}

template <class Value>
Result<void> writeValues(Communicator& communicator, OutputSet& outputs, const std::string& path,
                         const std::string& header, const std::vector<Value>& values,
                         const Task& task) {
  return writeSharedFile(communicator, outputs, path, header, std::as_bytes(std::span(values)),
                         task);
}

}  // namespace

Result<void> writeRingCounts(Communicator& communicator, OutputSet& outputs,
                             const std::string& path, std::span<const std::uint64_t> counts,
                             std::uint64_t points, const FileRows& rowOf, const Task& task) {
  auto block = partToBlock(communicator, counts, points, task);
  if (!block) return tl::unexpected(block.error());
  const std::vector<std::uint64_t> values = atRows(communicator, std::move(*block), points, rowOf);
  const auto most = communicator.largest(
      counts.empty() ? std::uint64_t{0} : *std::ranges::max_element(counts), task);
  if (!most) return tl::unexpected(most.error());
  const std::string shape = std::to_string(rowOf(points)) + ",";
  if (*most > std::numeric_limits<std::uint32_t>::max())
    return writeValues(communicator, outputs, path, npyHeader("<u8", shape), values, task);
  return writeValues(communicator, outputs, path, npyHeader("<u4", shape),
                     narrowed<std::uint32_t>(values), task);
}

Result<void> writeRingPairs(Communicator& communicator, OutputSet& outputs, const std::string& path,
                            const RingTable& table, std::uint64_t points, const FileRows& rowOf,
                            const Task& task) {
  const auto rows = rowsToBlock(communicator, table, points, task);
  if (!rows) return tl::unexpected(rows.error());
  const auto pairs = communicator.sum(std::uint64_t{table.ids.size()}, task);
  if (!pairs) return tl::unexpected(pairs.error());
  const std::string shape = std::to_string(*pairs) + ", 2";
  if (rowOf(points) > std::uint64_t{std::numeric_limits<std::int32_t>::max()})
    return writeValues(communicator, outputs, path, npyHeader("<i8", shape),
                       pairsOf<std::int64_t>(*rows, rowOf), task);
  return writeValues(communicator, outputs, path, npyHeader("<i4", shape),
                     pairsOf<std::int32_t>(*rows, rowOf), task);
}

}  // namespace clusterloom
