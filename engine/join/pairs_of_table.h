#pragma once

#include <vector>

#include "engine/core/parallel_for.h"
#include "engine/core/result.h"
#include "engine/core/stopwatch.h"
#include "engine/core/task.h"
#include "engine/core/touched_memory.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// The pairs of a table, in the order of the table, with its stats; where these have phases, the
/// phase of the list, "transfer", is added. The error of the table; Cancelled. The caller has
/// checked that there is memory for them besides the table.
inline Result<PairList> pairsOfTable(const Result<NeighbourTable>& made, const Task& task) {
  if (!made) return tl::unexpected(made.error());
  const NeighbourTable& table = *made;
  const Stopwatch watch;
  PairList list;
  list.candidates = table.candidates;
  list.stats = table.stats;
  if (!resizeAndTouch(list.pairs, table.ids.size(), "reserving memory for pairs", task))
    return cancelledError();
  constexpr std::size_t kRowsAtOnce = 4096;
  parallelForBlocks(table.offsets.size() - 1, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end && !task.cancelled(); ++p)
      for (std::uint64_t at = table.offsets[p]; at < table.offsets[p + 1]; ++at)
        list.pairs[at] = {std::int32_t(p), table.ids[at]};
  });
  if (task.cancelled()) return cancelledError();
  const double seconds = watch.seconds();
  std::vector<JoinPhase>& phases = list.stats.phases;
  if (!phases.empty()) {
    if (phases.back().name != "transfer") phases.push_back({"transfer", 0, 0});
    phases.back().seconds += seconds;
  }
  list.stats.seconds.join += seconds;
  list.stats.seconds.total += seconds;
  return list;
}

}  // namespace clusterloom
