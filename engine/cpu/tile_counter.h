#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/cpu/candidate_scan.h"
#include "engine/cpu/cpu_join.h"
#include "engine/grid/row_window.h"

namespace clusterloom {

/// Counts by the tile pattern for queries one by one, in 64 bits: the candidates around a cell are
/// looked up once for consecutive queries of that cell, and read as vectors. For one thread; what
/// it is given must outlive it.
class TileCounter {
 public:
  TileCounter(const CpuJoin& join, const RowWindow& window, const CandidateScan& scan)
      : join_(join), window_(window), scan_(scan) {}

  /// Neighbours of a position; `enough` or more means at least that many. Adds the distances
  /// decided (a row in which `enough` was reached counts whole) to `decided`.
  std::uint32_t count(std::uint32_t query, std::uint32_t enough, std::uint64_t& decided) {
    if (join_.cellOf[query] != cell_) lookUp(join_.cellOf[query]);
    std::uint32_t found = 0;
    for (IndexRange range : candidates_) {
      if (join_.view().sortedBy >= 0)
        narrowBySortedDimension(join_.view(), query, range.begin, range.end);
      if (range.empty()) continue;
      found += scan_.count(query, range.begin, range.end, enough - found);
      decided += range.end - range.begin;
      if (found >= enough) break;
    }
    return found;
  }

 private:
  static constexpr std::uint32_t kNoCell = ~std::uint32_t{0};

  // The candidates' positions: one range per row, or under SORTIDU one range per cell, because only
  // cells are sorted.
  void lookUp(std::uint32_t cell) {
    if (cell_ == kNoCell || cell < cell_) cursors_.emplace(join_.index, window_);
    cell_ = cell;
    candidates_.clear();
    const std::vector<std::uint32_t>& start = join_.index.cellStart;
    for (std::size_t row = 0; row < window_.offsets.size(); ++row) {
      const IndexRange cells = cursors_->cells(row, join_.view().cellIds[cell]);
      if (join_.view().sortedBy < 0) {
        if (!cells.empty()) candidates_.push_back({start[cells.begin], start[cells.end]});
      } else {
        for (std::uint32_t c = cells.begin; c < cells.end; ++c)
          candidates_.push_back({start[c], start[c + 1]});
      }
    }
  }

  const CpuJoin& join_;
  const RowWindow& window_;
  const CandidateScan& scan_;
  std::optional<RowCursors> cursors_;
  std::uint32_t cell_ = kNoCell;
  std::vector<IndexRange> candidates_;
};

}  // namespace clusterloom
