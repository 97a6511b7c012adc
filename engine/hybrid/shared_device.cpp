#include "engine/hybrid/shared_device.h"

#include <algorithm>
#include <cstring>

#include "engine/core/parallel_for.h"

namespace clusterloom {

void JoinSink::takeCounts(std::uint32_t firstQuery, std::span<const std::uint32_t> counts) {
  std::ranges::copy(counts, counts_.begin() + firstQuery);
}

std::span<std::int32_t> JoinSink::row(std::uint32_t query) const {
  const std::uint32_t point = (*queries_->points)[query];
  const std::uint64_t begin = table_->offsets[point];
  return {table_->ids.data() + begin, table_->offsets[point + 1] - begin};
}

bool JoinSink::takeRows(const RowsOfBatch& rows) {
  constexpr std::size_t kRowsPerBlock = 16;
  const auto& start = rows.rowStart;
  const std::uint64_t end = rows.first + rows.entries.size();
  if (rows.entries.empty()) return true;
  const auto firstRow =
      std::size_t(std::upper_bound(start.begin(), start.end(), rows.first) - start.begin() - 1);
  const auto lastRow =
      std::size_t(std::lower_bound(start.begin(), start.end(), end) - start.begin());
  const auto queryOf = [&](std::size_t r) { return rows.firstQuery + std::uint32_t(r); };
  for (std::size_t r = firstRow; r < lastRow; ++r)
    if (row(queryOf(r)).size() != start[r + 1] - start[r]) return false;
  parallelFor(lastRow - firstRow, kRowsPerBlock, [&](std::size_t i) {
    const std::size_t r = firstRow + i;
    const std::uint64_t from = std::max(start[r], rows.first);
    const std::uint64_t to = std::min(start[r + 1], end);
    if (from < to)
      std::memcpy(row(queryOf(r)).data() + (from - start[r]),
                  rows.entries.data() + (from - rows.first), (to - from) * sizeof(std::uint32_t));
  });
  return true;
}

}  // namespace clusterloom
