#pragma once

#include <span>

#include "engine/backend.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "ui/session/parameters.h"
#include "ui/session/weights.h"

namespace clusterloom {

/// The result of a whole with some of its points clustered on their own: `part` has one label for
/// each of `points` (ascending numbers in the whole). These points leave their clusters and form
/// new ones, or become noise. Clusters that lose all their points are gone; the others keep their
/// order, those of the part follow, and all are renumbered from 0.
Clustering merged(Clustering whole, const Clustering& part, std::span<const std::uint32_t> points);

/// Clusters some points of a cloud on their own. Errors of the backend; Cancelled.
Result<Clustering> clusterPart(const Backend& backend, const PointCloud& cloud,
                               const Weights& weights, std::span<const std::uint32_t> points,
                               const DbscanParams& params, const Strategy& strategy,
                               const Task& task);

/// Applies the refinements of `parameters` to the result of a whole run, one after the other.
Result<Clustering> refined(const Backend& backend, const PointCloud& cloud, const Weights& weights,
                           Clustering whole, const Parameters& parameters, const Task& task);

}  // namespace clusterloom
