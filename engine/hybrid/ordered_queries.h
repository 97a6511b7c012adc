#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace clusterloom {

/// The queries of a join in non-increasing workload, the order in which both processors take them
/// [Gallet 2020, §4.1].
struct OrderedQueries {
  /// Point of each query: a permutation of all points. Shared with the statistics of a run.
  std::shared_ptr<const std::vector<std::uint32_t>> points;
  std::vector<std::uint64_t> candidatesBefore;  ///< n + 1 sums of workloads

  std::uint32_t size() const { return static_cast<std::uint32_t>(candidatesBefore.size() - 1); }
  std::uint64_t candidates(std::uint32_t begin, std::uint32_t end) const {
    return candidatesBefore[end] - candidatesBefore[begin];
  }
};

/// The order from the points and their workloads, both by query. Parallel.
OrderedQueries orderedQueries(std::vector<std::uint32_t> points,
                              std::span<const std::uint32_t> workloads);

}  // namespace clusterloom
