#pragma once

#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"

namespace clusterloom {

/// The reachability plot of OPTICS [Ankerst 1999] for an ε without limit: points in an order in
/// which every cluster of every ε is a run. The bar of a point is the smallest ε at which it and
/// the point before it are in one cluster, by mutual reachability, so that cutting the bars at any
/// ε gives the core points of DBSCAN's clusters.
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
