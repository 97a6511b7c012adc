#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend.h"

namespace clusterloom {

/// The labels of a clustering's core points; kNoise for all others. From these the points of
/// another cloud get their labels.
std::vector<std::int32_t> coreLabels(const Clustering& clustering);

/// A label for each of `added`, found as DBSCAN finds those of border points: the lowest-numbered
/// cluster of `clustering` that has a core point of `cloud` within ε, else kNoise. The added points
/// change no cluster. For the points of `cloud` itself these are their labels. Errors are those of
/// Backend::lowestLabels.
Result<LowestLabels> labelNewPoints(const Backend& backend, const PointCloud& cloud,
                                    const Clustering& clustering, const PointCloud& added,
                                    const Strategy& strategy, const Task& task);

/// New labels as a clustering, as exports take it: points in a cluster are border points of it, all
/// others are noise. Parameters, number of clusters and, for provenance, backend and strategy are
/// those of `from`.
Clustering asClustering(std::vector<std::int32_t> labels, const Clustering& from);

}  // namespace clusterloom
