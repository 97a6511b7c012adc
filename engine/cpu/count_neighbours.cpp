#include "engine/cpu/count_neighbours.h"

#include <algorithm>
#include <optional>

#include "engine/cpu/candidate_scan.h"
#include "engine/cpu/cpu_sinks.h"
#include "engine/grid/row_window.h"
#include "engine/join/whole_cells.h"

namespace clusterloom {
namespace {

// The tile pattern for queries one by one: the candidates around a cell are looked up once for
// consecutive queries of that cell.
class TileCounter {
 public:
  TileCounter(const CpuJoin& join, const RowWindow& window, const CandidateScan& scan,
              std::span<std::uint32_t> counts, std::uint32_t enough)
      : join_(join), window_(window), scan_(scan), counts_(counts), enough_(enough) {}

  std::uint64_t operator()(std::uint32_t query) {
    if (join_.cellOf[query] != cell_) lookUp(join_.cellOf[query]);
    std::uint64_t decided = 0;
    std::uint32_t found = 0;
    for (IndexRange range : candidates_) {
      if (join_.view().sortedBy >= 0)
        narrowBySortedDimension(join_.view(), query, range.begin, range.end);
      if (range.empty()) continue;
      found += scan_.count(query, range.begin, range.end, enough_ - found);
      decided += range.end - range.begin;
      if (found >= enough_) break;
    }
    counts_[query] = found;
    return decided;
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
  std::span<std::uint32_t> counts_;
  std::uint32_t enough_;
  std::optional<RowCursors> cursors_;
  std::uint32_t cell_ = kNoCell;
  std::vector<IndexRange> candidates_;
};

}  // namespace

Result<std::uint64_t> countNeighbours(const CpuJoin& join, std::string_view stage,
                                      std::span<std::uint32_t> counts, std::uint32_t enough,
                                      const Task& task) {
  // The papers' patterns and SORTIDU examine every candidate, so that their work can be compared.
  if (join.plan.strategy.pattern != AccessPattern::Tile)
    return runCpuJoin(
        join, stage, task, [&] { return CountSink(counts, join.half, enough); }, kEveryQuery);
  const double squaredEps = join.view().squaredEps;
  WholeCells whole;
  const QueryCells& queries = join.queries;
  whole.decided.assign(queries.cells(), 0);
  if (join.view().sortedBy < 0)
    whole = decideWholeCells(join.index, queries, {&squaredEps, 1}, task);
  if (task.cancelled()) return cancelledError();
  for (std::size_t c = 0; c < queries.cells(); ++c)
    if (whole.decided[c])
      std::fill(counts.begin() + queries.start[c], counts.begin() + queries.start[c + 1],
                whole.neighbours[c]);
  const auto wanted = [&](std::uint32_t query) { return !whole.decided[join.queryCellOf(query)]; };
  const auto withWhole = [&](Result<std::uint64_t> distances) {
    if (distances) *distances += whole.distances;
    return distances;
  };
  if (join.view().usesSingle)
    return withWhole(runCpuJoin(
        join, stage, task, [&] { return CountSink(counts, join.half, enough); }, wanted));
  const RowWindow window = makeRowWindow(join.index.geometry);
  const CandidateScan scan(join.index.ordered, squaredEps);
  return withWhole(runSchedule(join, stage, task, [&] {
    return [&, counter = TileCounter(join, window, scan, counts, enough)](
               std::uint32_t query) mutable -> std::uint64_t {
      return wanted(query) ? counter(query) : 0;
    };
  }));
}

}  // namespace clusterloom
