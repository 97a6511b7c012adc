#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/run_stats.h"
#include "engine/core/task.h"
#include "engine/cpu/union_find.h"
#include "engine/join/join_input.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// The figures of a pass over a join.
struct JoinWork {
  std::uint64_t calculations = 0;  ///< distances that were decided
  std::uint64_t candidates = 0;    ///< ordered pairs that were examined
};

/// The positions of the queries of a join: query i, which is point pointIds[i] of its cloud, is at
/// position first + i.
struct QueryPositions {
  std::uint32_t first = 0;
  std::span<const std::uint32_t> pointIds;
  std::size_t end() const { return first + pointIds.size(); }
};

/// Values by position as values by point, for `points` points; `left` for those that are not
/// queries.
template <class T>
std::vector<T> byPoint(const std::vector<T>& byPosition, const QueryPositions& queries,
                       std::size_t points, T left) {
  std::vector<T> result(points, left);
  for (std::size_t i = 0; i < queries.pointIds.size(); ++i)
    result[queries.pointIds[i]] = byPosition[queries.first + i];
  return result;
}

/// A join over one input and ε, indexed and ready to run by one method: what the counts, tables and
/// DBSCAN of the CPU backend are made of. Positions are the method's own order of the points; in a
/// join of two clouds the queries follow those of the indexed cloud. All calls run in parallel on
/// the caller's TBB arena; their error is Cancelled.
class PreparedJoin {
 public:
  virtual ~PreparedJoin() = default;
  /// The point at each position, of the indexed cloud.
  virtual const std::vector<std::uint32_t>& pointIds() const = 0;
  /// The queries: by default all points of the indexed cloud.
  virtual QueryPositions queries() const { return {0, pointIds()}; }
  /// Numbers of non-empty cells and batches, where the method has them.
  virtual void addStats(RunStats& stats) const = 0;
  /// TooLarge, with the predicted number, where a list of the pairs certainly would not fit.
  virtual Result<void> checkPairsFit(std::uint64_t bytesPerPair, const Task& task) const = 0;
  /// TooLarge where DBSCAN by this method takes much longer than by the grid: by default never.
  virtual Result<void> checkDbscan(const Task&) const { return {}; }

  /// Neighbours by position. With `enough` a count may stop there.
  virtual Result<JoinWork> count(std::string_view stage, std::span<std::uint32_t> counts,
                                 std::uint32_t enough, const Task& task) const = 0;
  /// The same before fill(), for which a method may keep what it finds.
  virtual Result<JoinWork> countToFill(std::string_view stage, std::span<std::uint32_t> counts,
                                       const Task& task) const {
    return count(stage, counts, ~std::uint32_t{0}, task);
  }
  /// The same before unite() and placeBorders(), for which a method may keep what it finds, or put
  /// core points within ε into one set already. With `stops` a count may stop at minPts.
  virtual Result<JoinWork> testCore(std::span<std::uint32_t> counts, std::uint32_t minPts,
                                    bool stops, UnionFind&, const Task& task) const {
    return count("core test", counts, stops ? minPts : ~std::uint32_t{0}, task);
  }
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

/// By the method of the plan, which is not brute force or G-DBSCAN. Keeps references to the clouds
/// and the plan.
Result<std::unique_ptr<PreparedJoin>> prepareJoin(const JoinInput& input, double eps,
                                                  const JoinPlan& plan, const Task& task);

}  // namespace clusterloom
