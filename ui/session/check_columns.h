#pragma once

#include <cstdint>
#include <vector>

#include "engine/io/write.h"
#include "ui/session/cluster_checks.h"

namespace clusterloom {

/// The validity of the cluster with this label; null where it is unknown.
const ClusterValidity* validityOf(const ClusterFigures& figures, std::int32_t label);
const ClusterStability* stabilityOf(const ClusterFigures& figures, std::int32_t label);

/// The figures of clusters 0 … `clusters` − 1 as columns of the exported table: validity,
/// sparseness, separation; jaccard, samples, found_percent; eps_from, eps_to. Distances are those
/// of the scaled cloud, as ε. Unknown figures are left out.
std::vector<ClusterColumn> columnsOf(const ClusterFigures& figures, std::int32_t clusters);

/// Adds how they were computed, and the validity of all clusters.
void describe(const ClusterFigures& figures, Provenance& lines);

}  // namespace clusterloom
