#include "engine/grid/row_window.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <functional>

namespace clusterloom {

RowWindow makeRowWindow(const CellGeometry& geometry) {
  struct Row {
    std::int64_t offset;
    std::int64_t nearness;  // squared distance in cells
  };
  std::vector<Row> rows{{0, 0}};
  for (std::size_t i = 0; i + 1 < geometry.dims.size(); ++i) {
    std::vector<Row> longer;
    for (const Row& row : rows)
      for (std::int64_t step = -geometry.reach; step <= geometry.reach; ++step)
        longer.push_back(
            {row.offset + step * std::int64_t(geometry.stride[i]), row.nearness + step * step});
    rows = std::move(longer);
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.nearness != b.nearness ? a.nearness < b.nearness : a.offset < b.offset;
  });
  RowWindow window;
  window.reach = geometry.reach;
  for (const Row& row : rows) window.offsets.push_back(row.offset);
  return window;
}

std::uint32_t RowCursors::gallop(std::uint32_t from, std::uint64_t id) const {
  if (from >= count_ || ids_[from] >= id) return from;
  std::uint32_t step = 1;
  std::uint32_t low = from;  // ids_[low] < id
  while (low + step < count_ && ids_[low + step] < id) {
    low += step;
    step *= 2;
  }
  const std::uint32_t high = std::min(low + step, count_);
  return std::uint32_t(std::lower_bound(ids_ + low + 1, ids_ + high, id) - ids_);
}

std::uint64_t candidatesInWindow(const GridIndex& index, const QueryCells& queries,
                                 const Task& task) {
  constexpr std::size_t kCellsPerBlock = 512;  // a block looks its rows up afresh once
  const RowWindow window = makeRowWindow(index.geometry);
  const auto addBlock = [&](const tbb::blocked_range<std::size_t>& cells, std::uint64_t sum) {
    RowCursors cursors(index, window);
    for (std::size_t c = cells.begin(); c < cells.end() && !task.cancelled(); ++c) {
      const std::uint64_t asking = queries.population(c);
      for (std::size_t row = 0; row < window.offsets.size(); ++row) {
        const IndexRange found = cursors.cells(row, queries.ids[c]);
        sum += asking * (index.cellStart[found.end] - index.cellStart[found.begin]);
      }
    }
    return sum;
  };
  return tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, queries.cells(), kCellsPerBlock),
                              std::uint64_t{0}, addBlock, std::plus<>());
}

}  // namespace clusterloom
