#pragma once

namespace clusterloom {

/// How CPU and GPU share the queries of a join, which stand in non-increasing workload: the GPU
/// takes them from the front, CPU threads from the back. Dyn: batches on demand until both meet
/// [Gallet 2020, §4.2.1]. Queries: a fixed share of the queries [Gallet 2020, §4.2.2]. Candidates:
/// a fixed share of the candidates [Gallet 2020, §4.2.3]. Adaptive (ours): on demand, in batches
/// that shrink as the two ends approach each other.
enum class Division { Dyn, Queries, Candidates, Adaptive };

/// How the CPU's threads answer queries of a shared join: by the grid, or by New-Super-EGO
/// [Gallet 2020, §4.5].
enum class CpuMethod { Grid, NewSuperEgo };

/// How the query sets of a replicated join are dealt to its devices [Gowanlock 2019, §6.2]. Single,
/// as printed: each set is a uniform selection of single queries of the cloud, and set i goes to
/// device i mod g. Fixed (ours): the same with sets of runs of the order by workload
/// (engine/join/query_sets.h). Queue (ours): each device that is free takes the next set.
enum class Deal { Fixed, Single, Queue };

constexpr bool isFixedDeal(Deal deal) { return deal != Deal::Queue; }

constexpr bool isStatic(Division division) {
  return division == Division::Queries || division == Division::Candidates;
}

}  // namespace clusterloom
