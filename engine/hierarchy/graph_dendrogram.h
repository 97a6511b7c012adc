#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"

namespace clusterloom {

/// The dendrogram of points whose mutual reachability is given by edges, such as that of a distance
/// of the caller: all pairs, a minimum spanning tree, or the edges of a sparse graph. Kruskal's
/// algorithm, on the threads of the caller's TBB arena for the sort.
///
/// BadInput without points, for an edge to no point, a weight that is NaN or below 0, and edges
/// that do not connect all points; Cancelled.
Result<Dendrogram> dendrogramOfGraph(std::size_t points, std::vector<TreeEdge> edges,
                                     const Task& task = {});

}  // namespace clusterloom
