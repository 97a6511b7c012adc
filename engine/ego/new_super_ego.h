#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "engine/ego/super_ego.h"

namespace clusterloom {

/// Queries that a thread takes at a time [Gallet 2020, §4.5].
inline constexpr std::uint32_t kQueriesPerTake = 1024;

/// Calls visit(begin, end, start) for the short sequences, as ranges of positions, in which the
/// point at position `query` may have neighbours: egoJoin(E, {q}, 0).
template <class Visit>
void visitShortSequencesOf(const EgoIndex& index, std::uint32_t query, const Visit& visit) {
  egoJoinPoint(
      index, 0, 0, [&](int i) { return index.cellOf[std::size_t(i)][query]; },
      [&](std::uint32_t a, int start) { visit(index.sequences[a], start); });
}

/// One query of New-Super-EGO: its neighbours to the sink, as positions. The sink's hit(p, q)
/// returns true when p needs no more. Returns the distances decided, which are the candidates.
template <class Real, class Sink>
std::uint64_t queryByEgoJoin(const EgoIndex& index, const SimpleJoin<Real>& join,
                             std::uint32_t query, Sink& sink) {
  std::uint64_t calculations = 0;
  bool enough = false;
  visitShortSequencesOf(index, query, [&](const EgoSequence& part, int start) {
    if (enough) return;
    calculations += part.size();
    std::uint64_t found = neighboursOf(join, query, {part.begin, part.end}, start);
    for (; found != 0 && !enough; found &= found - 1)
      enough = sink.hit(query, part.begin + std::uint32_t(std::countr_zero(found)));
  });
  return calculations;
}

/// The same for a count that may stop at `enough`; adds to `calculations`. Sequences that follow
/// each other are compared with the query at once.
template <class Real>
std::uint32_t countByEgoJoin(const EgoIndex& index, const SimpleJoin<Real>& join,
                             std::uint32_t query, std::uint32_t enough,
                             std::uint64_t& calculations) {
  std::uint32_t count = 0;
  EgoRange pending{0, 0};
  int pendingStart = 0;
  const auto countPending = [&] {
    if (count >= enough) return;
    calculations += pending.end - pending.begin;
    count += countNeighbours(join, query, pending, pendingStart);
  };
  visitShortSequencesOf(index, query, [&](const EgoSequence& part, int start) {
    if (part.begin == pending.end && pending.end - pending.begin < kQueriesPerTake) {
      pending.end = part.end;
      return;
    }
    countPending();
    pending = {part.begin, part.end};
    pendingStart = start;
  });
  countPending();
  return count;
}

/// New-Super-EGO [Gallet 2020, §4.5]: threads take kQueriesPerTake queries at a time from one head.
/// `order` has the position of every query; empty: EGO order, whose neighbours share sequences.
/// `makeWorker()` makes a worker for one thread; worker(query) returns the distances it decided.
template <class MakeWorker>
Result<EgoWork> runNewSuperEgo(const EgoCloud& ego, std::span<const std::uint32_t> order,
                               std::string_view stage, const Task& task,
                               const MakeWorker& makeWorker) {
  std::atomic<std::uint64_t> head = 0;
  std::atomic<std::uint64_t> calculations = 0;
  const std::uint64_t n = ego.index.size();
  SharedProgress progress(task, stage, n);
  tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
    auto worker = makeWorker();
    std::uint64_t done = 0;
    // Fewer at a time where each thread would get less than a few takes.
    const std::uint64_t threads = std::uint64_t(tbb::this_task_arena::max_concurrency());
    const std::uint64_t take = std::clamp<std::uint64_t>(n / (8 * threads), 1, kQueriesPerTake);
    for (;;) {
      const std::uint64_t begin = head.fetch_add(take, std::memory_order_relaxed);
      if (begin >= n) break;
      const std::uint64_t end = std::min(n, begin + take);
      for (std::uint64_t q = begin; q < end && !task.cancelled(); ++q)
        done += worker(order.empty() ? std::uint32_t(q) : order[q]);
      progress.add(end - begin);
    }
    calculations += done;
  });
  if (task.cancelled()) return cancelledError();
  return EgoWork{calculations, calculations};
}

}  // namespace clusterloom
