#pragma once

#include <vector>

#include "engine/join/cost_of_k.h"

namespace clusterloom {

/// The cost model of k for tiles without SORTIDU's window, which compare whole ranges of cells with
/// vectors: candidates are estimated from the pairs of a sample of the points with a sample of the
/// query points, without an index. `order` are the dimensions as they would be indexed; the result
/// has k = 1 … min(order.size(), 8). One step of a search counts as `searchStep` coordinates.
///
/// At most 256 query points are compared with at most 4,096 points, by the threads of the caller's
/// arena: about a million comparisons at most. The same call always gives the same. Cancelled when
/// stopped.
Result<CostModel> costOfTiles(const JoinInput& input, double eps, const std::vector<int>& order,
                              double searchStep, const Task& task);

}  // namespace clusterloom
