#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/shared_progress.h"
#include "engine/core/task.h"
#include "engine/validity/cluster_points.h"

namespace clusterloom {

/// What DBCV takes from the spanning tree of a cluster.
struct ClusterTree {
  /// Of the cluster's points: inner nodes of the tree, those with two edges or more, ascending; the
  /// first point where there is none (two points).
  std::vector<std::uint32_t> inner;
  /// The largest squared weight of an edge between two inner nodes; of any edge where there is
  /// none.
  double squaredSparseness = 0;
};

/// The minimum spanning tree of mutual reachability of a cluster of n ≥ 2 points, whose edges weigh
/// max(a(p), a(q), dist(p, q)) [Moulavi 2014, definitions 2 to 5].
///
/// Ties are frequent, since a point with a large core distance has as heavy an edge to every point
/// within it, and decide which nodes are inner ones. Hence the tree is that of the published
/// implementation: it grows from the first point; the next point is the lightest to reach, of
/// several the first; its edge goes to the first point of the tree that reaches it so lightly.
///
/// Prim's algorithm: n² / 2 · d steps, 8 · d + 41 bytes a point. Each step's search is divided
/// between the threads of the caller's arena where many points are left. Adds n² / 2 to `progress`;
/// incomplete where the task is stopped.
ClusterTree clusterTree(const ClusterPoints& points, std::span<const double> squaredCore,
                        SharedProgress& progress, const Task& task);

}  // namespace clusterloom
