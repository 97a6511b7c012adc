#pragma once

#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"

namespace clusterloom {

/// A reachability plot [Ankerst 1999]: points in an order in which every cluster of every ε is a
/// run. The bar of a point is the smallest ε at which it and the point before it are core points of
/// one cluster (mutual reachability), so that cutting the bars at any ε gives the core points of
/// DBSCAN's clusters, and nothing else.
///
/// OPTICS itself uses max(core distance of the earlier point, distance), without the core distance
/// of the point, and goes from the first point to the nearest of those it has reached. Its plot
/// depends on the point it starts from, and its cut at ε also takes some of the border points,
/// depending on the order. The core points that it takes are the same (tst_reachability compares
/// both). The order here is that of the dendrogram, which depends on distances and ids alone, and
/// takes one pass; with an unlimited ε, OPTICS compares all pairs.
struct Reachability {
  LargeArray<std::uint32_t> order;   ///< point of each bar
  LargeArray<double> squaredHeight;  ///< of each bar; +∞ for the first
  double lowestSquared = 1;          ///< the lowest height above 0; 1 where there is none
  double highestSquared = 1;         ///< the highest finite one
};

/// The plot of a dendrogram. Of two nodes that merge, the one with the lowest point comes first, so
/// that the order does not depend on how the dendrogram was made, except between merges of equal
/// weight. Cancelled.
Result<Reachability> reachabilityOf(const Dendrogram& tree, const Task& task = {});

}  // namespace clusterloom
