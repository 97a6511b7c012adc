#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

/// The values of ε from `from` (included) to `to` (not included) at which a cluster is found.
struct EpsRangeOfCluster {
  double from = 0;
  double to = kInfinity;  ///< +∞: the cluster never disappears

  /// How long it persists: to / from; +∞ where it never disappears or exists from 0 on.
  double ratio() const { return to / from; }
};

/// The persistence over ε of clusters of a hierarchy, in their order. `nodes` are the dendrogram's
/// nodes of the clusters at one ε, as Hierarchy::labels gives them.
///
/// A cluster is found at another ε by the criterion for samples (resampling.h): where some cluster
/// there has a Jaccard index of at least kFoundAgain with it, here for their core points. Clusters
/// grow with ε, so these values of ε are one range around that of the clusters.
///
/// Two passes over the merges, 12 bytes a point, and the way from each cluster up and down the
/// tree. Throws std::bad_alloc.
std::vector<EpsRangeOfCluster> persistenceOf(const Hierarchy& hierarchy,
                                             std::span<const std::uint32_t> nodes);

}  // namespace clusterloom
