#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/lane.h"

namespace clusterloom {

/// An order of queries dealt to query sets [Gowanlock 2019, §6.2], which follow each other. The
/// paper deals single queries, with a stride of the number of sets. Here runs of the order are
/// dealt in turn, so that the lanes of a warp still go through the same cells; each set gets at
/// least kRunsPerSet of them, so that all have about the same work where the order is by workload.
class QuerySets {
 public:
  /// `sets` from 1 to the number of queries; 1 where there are none. `single`: as in the paper.
  CLUSTERLOOM_LANE QuerySets(std::uint32_t queries, std::uint32_t sets, bool single = false)
      : queries_(queries), sets_(sets), run_(queries / sets / kRunsPerSet) {
    if (run_ > kLongestRun) run_ = kLongestRun;
    if (run_ < 1 || single) run_ = 1;
    runs_ = (queries + run_ - 1) / run_;
  }

  CLUSTERLOOM_LANE std::uint32_t sets() const { return sets_; }
  /// Queries of a run; run r is of set r mod sets.
  CLUSTERLOOM_LANE std::uint32_t run() const { return run_; }
  /// Place of the first query of a set; the number of queries for the set after the last one.
  CLUSTERLOOM_LANE std::uint32_t begin(std::uint32_t set) const {
    const std::uint32_t longer = runs_ % sets_;  // number of sets with one run more
    const std::uint32_t runs = set * (runs_ / sets_) + (set < longer ? set : longer);
    // The last run may be shorter than the others; its set is the last one that is longer, or the
    // last of all.
    const std::uint32_t ofLastRun = (runs_ + sets_ - 1) % sets_;
    return runs * run_ - (runs_ > 0 && set > ofLastRun ? runs_ * run_ - queries_ : 0);
  }
  /// Place of query i of the order.
  CLUSTERLOOM_LANE std::uint32_t place(std::uint32_t i) const {
    const std::uint32_t run = i / run_;
    return begin(run % sets_) + run / sets_ * run_ + i % run_;
  }
  /// begin(0), begin(1), …, the number of queries.
  std::vector<std::size_t> begins() const {
    std::vector<std::size_t> all(sets_ + std::size_t{1});
    for (std::uint32_t set = 0; set <= sets_; ++set) all[set] = begin(set);
    return all;
  }

 private:
  static constexpr std::uint32_t kLongestRun = 32;  // a warp's queries
  static constexpr std::uint32_t kRunsPerSet = 64;

  std::uint32_t queries_;
  std::uint32_t sets_;
  std::uint32_t run_;   // queries of a run
  std::uint32_t runs_;  // all of them
};

}  // namespace clusterloom
