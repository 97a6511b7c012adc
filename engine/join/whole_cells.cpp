#include "engine/join/whole_cells.h"

#include <algorithm>
#include <numeric>

#include "engine/core/parallel_for.h"
#include "engine/core/predicate.h"
#include "engine/grid/row_window.h"

namespace clusterloom {
namespace {

// Cells with fewer queries are cheaper to join than to look at.
constexpr std::uint32_t kFewestQueries = 64;
constexpr std::size_t kCellsPerBlock = 512;

struct Box {
  std::vector<double> low;
  std::vector<double> high;
};

Box boxOf(const GridIndex& index, std::uint32_t begin, std::uint32_t end) {
  Box box;
  for (const auto& column : index.ordered.columns) {
    const auto [low, high] = std::minmax_element(column.begin() + begin, column.begin() + end);
    box.low.push_back(*low);
    box.high.push_back(*high);
  }
  return box;
}

/// The bin of every pair between two boxes; −1 when the boxes do not prove one. The number of
/// edges stands for beyond ε.
int binOf(const Box& a, const Box& b, std::span<const double> squaredEdges) {
  const auto bin = [&](double squared) {
    return int(std::lower_bound(squaredEdges.begin(), squaredEdges.end(), squared) -
               squaredEdges.begin());
  };
  // `x` and `y` are the coordinates whose difference is taken in each dimension.
  const double farthest = canonicalSquaredDistance(
      a.low.size(),
      [&](std::size_t j) {
        return b.high[j] - a.low[j] >= a.high[j] - b.low[j] ? b.high[j] : a.high[j];
      },
      [&](std::size_t j) {
        return b.high[j] - a.low[j] >= a.high[j] - b.low[j] ? a.low[j] : b.low[j];
      });
  const double closest = canonicalSquaredDistance(
      a.low.size(), [&](std::size_t j) { return std::max(a.low[j], b.low[j]); },
      [&](std::size_t j) {
        return std::min(std::max(a.low[j], b.low[j]), std::min(a.high[j], b.high[j]));
      });
  const int at = bin(farthest);
  return at == bin(closest) ? at : -1;
}

}  // namespace

std::uint64_t WholeCells::allPairs() const {
  return std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0});
}

WholeCells decideWholeCells(const GridIndex& index, const QueryCells& queries,
                            std::span<const double> squaredEdges, const Task& task) {
  WholeCells whole;
  const std::size_t cells = queries.cells();
  whole.decided.assign(cells, 0);
  whole.neighbours.assign(cells, 0);
  whole.pairs.assign(squaredEdges.size(), 0);
  const RowWindow window = makeRowWindow(index.geometry);
  // Per block: by bin, the last for pairs beyond ε.
  std::vector<std::vector<std::uint64_t>> pairsOfBlock(cells / kCellsPerBlock + 1);
  parallelFor(pairsOfBlock.size(), 1, [&](std::size_t block) {
    RowCursors cursors(index, window);
    std::vector<std::uint64_t>& pairs = pairsOfBlock[block];
    std::vector<std::uint64_t> ofPoint;
    const std::size_t end = std::min(cells, (block + 1) * kCellsPerBlock);
    for (std::size_t c = block * kCellsPerBlock; c < end && !task.cancelled(); ++c) {
      if (queries.population(c) < kFewestQueries) continue;
      const Box box = boxOf(index, queries.start[c], queries.start[c + 1]);
      // Most cells end here: their own box spans several bins.
      if (binOf(box, box, squaredEdges) < 0) continue;
      ofPoint.assign(squaredEdges.size() + 1, 0);
      bool decided = true;
      for (std::size_t row = 0; row < window.offsets.size() && decided; ++row) {
        const IndexRange range = cursors.cells(row, queries.ids[c]);
        for (std::uint32_t b = range.begin; b < range.end && decided; ++b) {
          const std::uint32_t* at = &index.cellStart[b];
          const int bin = binOf(box, boxOf(index, at[0], at[1]), squaredEdges);
          decided = bin >= 0;
          if (decided) ofPoint[std::size_t(bin)] += at[1] - at[0];
        }
      }
      if (!decided) continue;
      whole.decided[c] = 1;
      if (pairs.empty()) pairs.assign(ofPoint.size(), 0);
      for (std::size_t bin = 0; bin < pairs.size(); ++bin) {
        if (bin < squaredEdges.size()) whole.neighbours[c] += std::uint32_t(ofPoint[bin]);
        pairs[bin] += ofPoint[bin] * queries.population(c);
      }
    }
  });
  for (const auto& pairs : pairsOfBlock)
    for (std::size_t bin = 0; bin < pairs.size(); ++bin) {
      whole.distances += pairs[bin];
      if (bin < whole.pairs.size()) whole.pairs[bin] += pairs[bin];
    }
  return whole;
}

}  // namespace clusterloom
