#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/grid/grid_index.h"

namespace clusterloom {

/// A half-open range, of cells or of positions.
struct IndexRange {
  std::uint32_t begin;
  std::uint32_t end;
  bool empty() const { return begin >= end; }
};

/// The adjacent cells of a cell as rows: cells that differ only along the fastest indexed dimension
/// have consecutive ids, so the (2r + 1)^k adjacent cells are (2r + 1)^(k − 1) contiguous ranges.
/// `offsets` are the rows' linear-id offsets: the cell's own row (0) first, then nearer rows before
/// farther ones, so that core tests can stop early.
struct RowWindow {
  std::vector<std::int64_t> offsets;
  std::int64_t reach = 1;
};
RowWindow makeRowWindow(const CellGeometry& geometry);

/// Candidates of all queries together: for each, the points in its own and the adjacent cells, as
/// the full pattern reads them. Parallel; undefined when the task was cancelled meanwhile.
std::uint64_t candidatesInWindow(const GridIndex& index, const QueryCells& queries,
                                 const Task& task);

/// Finds the rows around one cell after another, in ascending order of linear ids. Each row keeps
/// its last cell, so that a sweep over all cells costs a step or two per row and cell
/// instead of a binary search.
class RowCursors {
 public:
  RowCursors(const GridIndex& index, const RowWindow& window)
      : ids_(index.cellIds.data()),
        count_(std::uint32_t(index.cells())),
        window_(window),
        ranges_(window.offsets.size(), IndexRange{0, 0}) {}

  /// Cells of row `row` adjacent to the cell of this linear id, which may be empty; the cell itself
  /// belongs to row 0. For each row, the id must not decrease from call to call.
  IndexRange cells(std::size_t row, std::uint64_t linearId) {
    const std::int64_t centre = std::int64_t(linearId) + window_.offsets[row];
    IndexRange& range = ranges_[row];
    range.begin = firstFrom(range.begin, std::uint64_t(centre - window_.reach));
    range.end =
        firstFrom(std::max(range.begin, range.end), std::uint64_t(centre + window_.reach + 1));
    return range;
  }

 private:
  // First cell at or after `from` with an id ≥ `id`. Mostly one of the next few, which are counted
  // rather than walked: how many it is cannot be predicted, and a wrong guess of the processor
  // takes longer than the comparisons.
  std::uint32_t firstFrom(std::uint32_t from, std::uint64_t id) const {
    constexpr std::uint32_t kNext = 4;
    if (from + std::size_t{kNext} > count_) return gallop(from, id);
    const std::uint64_t* const next = ids_ + from;
    const std::uint32_t below = std::uint32_t{next[0] < id} + std::uint32_t{next[1] < id} +
                                std::uint32_t{next[2] < id} + std::uint32_t{next[3] < id};
    return below < kNext ? from + below : gallop(from + kNext, id);
  }
  std::uint32_t gallop(std::uint32_t from, std::uint64_t id) const;

  const std::uint64_t* ids_;
  std::uint32_t count_;
  const RowWindow& window_;
  std::vector<IndexRange> ranges_;
};

}  // namespace clusterloom
