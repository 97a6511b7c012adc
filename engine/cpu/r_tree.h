#pragma once

#include "engine/cpu/prepared_join.h"

namespace clusterloom {

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

}  // namespace clusterloom
