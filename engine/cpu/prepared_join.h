#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/run_stats.h"
#include "engine/core/task.h"
#include "engine/cpu/union_find.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// What a pass over a join did.
struct JoinWork {
  std::uint64_t calculations = 0;  ///< distances that were decided
  std::uint64_t candidates = 0;    ///< ordered pairs that were examined
};

/// A join over one cloud and ε, indexed and ready to run by one method: what the counts, tables and
/// DBSCAN of the CPU backend are made of. Positions are the method's own order of the points. All
/// calls run in parallel on the caller's TBB arena; their error is Cancelled.
class PreparedJoin {
 public:
  virtual ~PreparedJoin() = default;
  /// The point at each position.
  virtual const std::vector<std::uint32_t>& pointIds() const = 0;
  /// Of non-empty cells and batches, where the method has them.
  virtual void addStats(RunStats& stats) const = 0;
  /// TooLarge, with the predicted number, where a list of the pairs certainly would not fit.
  virtual Result<void> checkPairsFit(std::uint64_t bytesPerPair, const Task& task) const = 0;

  /// Neighbours by position. With `enough` a count may stop there.
  virtual Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts,
                                 std::uint32_t enough, const Task& task) const = 0;
  /// What the candidates of a join by this method are, after it counted: by default what the count
  /// examined.
  virtual Result<std::uint64_t> candidates(const JoinWork& counted, const Task&) const {
    return counted.candidates;
  }
  /// Point ids of all neighbours to ids[cursors[position]++].
  virtual Result<JoinWork> fill(std::span<std::uint64_t> cursors, std::span<std::int32_t> ids,
                                const Task& task) const = 0;
  /// One set of every two core points within ε, by position.
  virtual Result<JoinWork> unite(UnionFind& sets, std::span<const std::uint8_t> core,
                                 const Task& task) const = 0;
  /// The lowest label among the core points within ε, for all other points, by position.
  virtual Result<JoinWork> placeBorders(std::span<std::int32_t> labels,
                                        std::span<const std::uint8_t> core,
                                        const Task& task) const = 0;
};

/// By the method of the plan, which is not brute force or G-DBSCAN. Keeps references to both.
Result<std::unique_ptr<PreparedJoin>> prepareJoin(const PointCloud& cloud, double eps,
                                                  const JoinPlan& plan, const Task& task);

}  // namespace clusterloom
