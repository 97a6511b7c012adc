#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/translatable.h"
#include "engine/cpu/cpu_sinks.h"
#include "engine/cpu/prepared_join.h"
#include "engine/ego/ego_index.h"
#include "engine/join/distance_bins.h"
#include "engine/join/join_results.h"

namespace clusterloom {

// The methods between which prepareJoin() chooses.

/// The method `grid`: the lane programs over the cells (engine/cpu/cpu_join.h).
Result<std::unique_ptr<PreparedJoin>> prepareGridJoin(const JoinInput& input, double eps,
                                                      const JoinPlan& plan, const Task& task);

/// The method `products` (engine/product/product_join.h), of one cloud or two. Pairs that later
/// passes need are kept where they take at most a quarter of the free memory; these then compute
/// nothing. Of DBSCAN they are fewer than minPts for each point.
Result<std::unique_ptr<PreparedJoin>> prepareProductJoin(const JoinInput& input, double eps,
                                                         const JoinPlan& plan, const Task& task);

/// Backend::histogram by the same method. The distances of rounded points decide the bins of most
/// pairs, the canonical ones those of pairs near an edge. Error: Cancelled.
Result<DistanceHistogram> productHistogram(const JoinInput& input, double eps, const JoinPlan& plan,
                                           const DistanceBins& bins, const Task& task);

/// The method `super-ego` (engine/ego/super_ego.h) [Gallet 2020, §3.2].
Result<std::unique_ptr<PreparedJoin>> prepareSuperEgoJoin(const PointCloud& cloud, double eps,
                                                          const JoinPlan& plan, const Task& task);

/// The mapping from queries in the order of their workload to positions in EGO order [Gallet 2020,
/// §4.1]: all points, those with the most candidates in the grid first, ties in the grid's cell
/// order. Errors: those of planJoin, Cancelled.
Result<std::vector<std::uint32_t>> positionsByWorkload(const PointCloud& cloud, double eps,
                                                       const EgoIndex& index, const Task& task);

/// The method `new-super-ego` (engine/ego/new_super_ego.h) [Gallet 2020, §4.5]. In the order
/// WORKQUEUE queries come by their workload in the grid, heaviest first, as in HEGJoin; else in EGO
/// order.
Result<std::unique_ptr<PreparedJoin>> prepareNewSuperEgoJoin(const PointCloud& cloud, double eps,
                                                             const JoinPlan& plan,
                                                             const Task& task);

/// The most dimensions the R-tree indexes, those of the paper's experiments; of a cloud with more,
/// those with the highest variance.
inline constexpr std::size_t kRTreeMaxDims = 6;

/// The method `r-tree`, the papers' CPU-RTREE [Gowanlock 2018, §5.2.2]: points are sorted into bins
/// of unit length and inserted into an R-tree one by one; each point then queries the box of side
/// 2ε around it, and the canonical predicate refines the points in the box, which are its
/// candidates. The paper runs it on one thread; here queries run on all threads of the arena. The
/// core tests of DBSCAN, which is not the paper's, search only until a point has minPts neighbours,
/// and DBSCAN is refused where a sample of the searches forecasts minutes: in a dense cloud, and
/// with the images of a periodic box, the grid decides whole cells where every point here searches.
Result<std::unique_ptr<PreparedJoin>> prepareRTreeJoin(const PointCloud& cloud, double eps,
                                                       const JoinPlan& plan, const Task& task);

/// A prepared join whose passes are one function of the derived class:
///   run(stage, task, makeSink, wanted) → Result<JoinWork>
/// It gives every pair of the queries for which wanted(position) holds to sinks (cpu_sinks.h) that
/// makeSink() makes for one thread each. With `bothWays` each pair is found once, from either end:
/// it is given as (p, q) and (q, p), and all positions must be queries.
template <class Derived>
class SinkJoin : public PreparedJoin {
 public:
  Result<JoinWork> fill(std::span<std::uint64_t> cursors, std::span<std::int32_t> ids,
                        const Task& task) const override {
    return derived().run(
        translatable("filling"), task, [&] { return FillSink(cursors, ids, pointIds()); },
        [](std::uint32_t) { return true; });
  }
  Result<JoinWork> unite(UnionFind& sets, std::span<const std::uint8_t> core,
                         const Task& task) const override {
    // A pair that is found once may be found from its end that is not core.
    return derived().run(
        translatable("union"), task, [&] { return UnionSink(sets, core); },
        [&, all = derived().bothWays()](std::uint32_t p) { return all || core[p]; });
  }
  Result<JoinWork> placeBorders(std::span<std::int32_t> labels, std::span<const std::uint8_t> core,
                                const Task& task) const override {
    return derived().run(
        "border points", task, [&] { return BorderSink(labels, core); },
        [&, all = derived().bothWays()](std::uint32_t p) { return all || !core[p]; });
  }

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

}  // namespace clusterloom
