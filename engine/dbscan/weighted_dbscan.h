#pragma once

#include <span>

#include "engine/backend.h"

namespace clusterloom {

/// DBSCAN of weighted points, as scikit-learn's `sample_weight`: a point is core when the weights
/// of all points within ε, its own included, sum to at least minPts. Weights may be negative. With
/// all weights 1 this is Backend::dbscan, only slower: every pair within ε is found, in tables of a
/// bounded size, and no core test stops early.
///
/// Exact as the rest of the engine: a sum is that of doubles in ascending order of points, whatever
/// the backend and the strategy. `strategy` is used where the joins behind the answer support it,
/// the standard one elsewhere. Errors are those of Backend::dbscan, and BadCall unless there is one
/// finite weight for each point.
Result<Clustering> weightedDbscan(const Backend& backend, const PointCloud& cloud,
                                  std::span<const double> weights, const DbscanParams& params,
                                  const Strategy& strategy, const Task& task);

}  // namespace clusterloom
