#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend.h"

namespace clusterloom {

/// The labels of a clustering's core points; kNoise for all others. What a point of another cloud
/// is labelled by.
std::vector<std::int32_t> coreLabels(const Clustering& clustering);

/// The cluster that each of `added` would be a border point of, were `cloud` clustered as in
/// `clustering`: the lowest-numbered cluster among the core points within the clustering's ε, else
/// kNoise. The added points change no cluster. For the points of `cloud` itself these are their
/// labels. Errors are those of Backend::lowestLabels.
Result<LowestLabels> labelNewPoints(const Backend& backend, const PointCloud& cloud,
                                    const Clustering& clustering, const PointCloud& added,
                                    const Strategy& strategy, const Task& task);

}  // namespace clusterloom
