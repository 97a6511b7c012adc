#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clusterloom {

/// Work of a query in addition to its candidates, in candidates: the search for adjacent cells.
inline constexpr double kQueryWork = 32;

/// The work of each side per second, in candidates and kQueryWork for each query; 0: unknown.
struct SideRates {
  double gpu = 0;
  double cpu = 0;
  bool known() const { return gpu > 0 && cpu > 0; }
};

/// The queries of a join in non-increasing workload, the order in which both processors take them
/// [Gallet 2020, §4.1]. Where they are dealt to query sets, each set has this order, or that of the
/// input.
struct OrderedQueries {
  /// Point of each query: a permutation of all points. Shared with the statistics of a run.
  std::shared_ptr<const std::vector<std::uint32_t>> points;
  std::vector<std::uint64_t> candidatesBefore;  ///< n + 1 sums of workloads

  std::uint32_t size() const { return std::uint32_t(candidatesBefore.size() - 1); }
  std::uint64_t candidates(std::uint32_t begin, std::uint32_t end) const {
    return candidatesBefore[end] - candidatesBefore[begin];
  }
  double workBefore(std::uint32_t query) const {
    return double(candidatesBefore[query]) + kQueryWork * query;
  }
};

/// First query of each of at most `sets` runs of consecutive queries of about the same work, and
/// the number of queries. No run is empty, unless there are no queries.
std::vector<std::size_t> runsOfEqualWork(const OrderedQueries& queries, std::uint32_t sets);

/// As runsOfEqualWork, each run with a share of the rest, for a queue that `workers` workers
/// take them from: few runs, and the last ones so short that all workers end at about the same time
/// (guided self-scheduling: Polychronopoulos and Kuck, 1987).
std::vector<std::size_t> runsOfFallingWork(const OrderedQueries& queries, std::uint32_t workers);

/// The order from the points and their workloads, both by query. Parallel.
OrderedQueries orderedQueries(std::vector<std::uint32_t> points,
                              std::span<const std::uint32_t> workloads);

}  // namespace clusterloom
