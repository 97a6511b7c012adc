#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/shared_progress.h"
#include "engine/ego/ego_join.h"
#include "engine/ego/simple_join.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// A part of the EGO-join of a cloud with itself: two sequences, or one with itself.
struct EgoJob {
  std::uint32_t a;
  std::uint32_t b;
  int start;  ///< as in egoJoin
};

/// The data that Super-EGO and New-Super-EGO need for one cloud and ε.
struct EgoCloud {
  EgoIndex index;
  SimpleJoin<double> join;
  std::optional<SingleOffsets> single;  ///< with precision 32
  std::vector<EgoJob> jobs;             ///< of Super-EGO: its sub-joins of a few thousand points
};

/// The work of a join.
struct EgoWork {
  std::uint64_t candidates = 0;    ///< ordered pairs whose sequences were not pruned
  std::uint64_t calculations = 0;  ///< distances; one serves both (p, q) and (q, p) in Super-EGO

  EgoWork& operator+=(const EgoWork& more) {
    candidates += more.candidates;
    calculations += more.calculations;
    return *this;
  }
};

/// EGO-sort, offsets of precision 32 where the plan has them, and with `forSuperEgo` the jobs.
/// Parallel on the caller's TBB arena. Cancelled when stopped.
Result<std::unique_ptr<EgoCloud>> prepareEgoCloud(const PointCloud& cloud, double eps,
                                                  const JoinPlan& plan, bool forSuperEgo,
                                                  const Task& task);

/// Calls f with the simple join of the plan's precision.
template <class F>
auto withSimpleJoin(const EgoCloud& ego, F&& f) {
  return ego.single ? f(ego.single->join) : f(ego.join);
}

/// Takes jobs from the head of one queue with every thread of the caller's arena [Gallet 2020,
/// §3.2.4]. `makeWorker()` makes a worker for one thread; worker(job) returns its EgoWork and ends
/// early when the task is stopped. Returns the sum, or Cancelled.
template <class MakeWorker>
Result<EgoWork> runEgoJobs(const EgoCloud& ego, std::string_view stage, const Task& task,
                           const MakeWorker& makeWorker) {
  std::atomic<std::size_t> head = 0;
  std::atomic<std::uint64_t> candidates = 0;
  std::atomic<std::uint64_t> calculations = 0;
  SharedProgress progress(task, stage, ego.jobs.size());
  tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
    auto worker = makeWorker();
    EgoWork done;
    for (;;) {
      const std::size_t job = head.fetch_add(1, std::memory_order_relaxed);
      if (job >= ego.jobs.size() || task.cancelled()) break;
      done += worker(ego.jobs[job]);
      progress.add(1);
    }
    candidates += done.candidates;
    calculations += done.calculations;
  });
  if (task.cancelled()) return cancelledError();
  return EgoWork{candidates, calculations};
}

/// The short sequences of one job: visit(a, b, start) as egoSelfJoin and egoJoin call it.
template <class Visit>
void visitShortSequences(const EgoIndex& index, const EgoJob& job, const Visit& visit) {
  if (job.a == job.b)
    egoSelfJoin(index, job.a, 0, visit);
  else
    egoJoin(index, job.a, job.b, job.start, 0, visit);
}

/// The work of two sequences that are compared.
inline EgoWork workOf(const EgoSequence& a, const EgoSequence& b, bool same) {
  const std::uint64_t pairs = std::uint64_t{a.size()} * b.size();
  return {same ? pairs : 2 * pairs, pairs};
}

/// Super-EGO [Gallet 2020, §3.2]: every ordered pair to a sink, as positions. `makeSink()` makes a
/// sink for one thread; its hit(p, q) may be called for one p by several threads.
template <class MakeSink>
Result<EgoWork> runSuperEgo(const EgoCloud& ego, std::string_view stage, const Task& task,
                            const MakeSink& makeSink) {
  return withSimpleJoin(ego, [&](const auto& join) {
    return runEgoJobs(ego, stage, task, [&] {
      return [&, sink = makeSink()](const EgoJob& job) mutable {
        EgoWork done;
        visitShortSequences(ego.index, job, [&](std::uint32_t a, std::uint32_t b, int start) {
          if (task.cancelled()) return;
          const EgoSequence& x = ego.index.sequences[a];
          const EgoSequence& y = ego.index.sequences[b];
          done += workOf(x, y, a == b);
          for (std::uint32_t p = x.begin; p < x.end; ++p) {
            std::uint64_t found = neighboursOf(join, p, {y.begin, y.end}, start);
            for (; found != 0; found &= found - 1) {
              const std::uint32_t q = y.begin + std::uint32_t(std::countr_zero(found));
              sink.hit(p, q);
              if (a != b) sink.hit(q, p);
            }
          }
        });
        return done;
      };
    });
  });
}

/// Super-EGO's neighbour counts by position, added to `counts`. Faster than a sink that counts.
Result<EgoWork> countBySuperEgo(const EgoCloud& ego, std::string_view stage,
                                std::span<std::uint32_t> counts, const Task& task);

}  // namespace clusterloom
