#include "engine/cpu/count_neighbours.h"

#include <algorithm>

#include "engine/cpu/cpu_sinks.h"
#include "engine/cpu/tile_counter.h"
#include "engine/join/whole_cells.h"

namespace clusterloom {

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
    return [&, counter =
                   TileCounter(join, window, scan)](std::uint32_t query) mutable -> std::uint64_t {
      if (!wanted(query)) return 0;
      std::uint64_t decided = 0;
      counts[query] = counter.count(query, enough, decided);
      return decided;
    };
  }));
}

}  // namespace clusterloom
