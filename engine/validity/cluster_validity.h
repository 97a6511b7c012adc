#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The DBCV figures of one cluster.
struct ClusterValidity {
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

  std::int32_t cluster = 0;  ///< its label
  std::uint64_t points = 0;
  double sparseness = kUndefined;  ///< the least dense place inside, as a distance
  double separation = kUndefined;  ///< of the nearest other cluster, as a distance
  std::int32_t nearest = -1;       ///< the label of that cluster; −1: none
  /// (separation − sparseness) / the larger of them, −1 … 1: above 0 where the cluster is denser
  /// inside than between it and the others. Undefined without another cluster and for one point.
  double validity = kUndefined;
};

/// Density-based clustering validation (DBCV) of labels.
struct Validity {
  std::vector<ClusterValidity> clusters;  ///< by label, those that have points
  std::uint64_t points = 0;
  std::uint64_t noise = 0;  ///< points without a cluster
  /// Σ points of a cluster / all points · its validity, −1 … 1. Noise counts among all points.
  /// Undefined where fewer than two clusters have two points.
  double index = ClusterValidity::kUndefined;
};

/// DBCV [Moulavi 2014], exactly, of a cloud with a label for each point; below 0 is noise.
/// Distances are Euclidean.
///
/// The definition, where the paper leaves a choice. Core distances are the all-points core
/// distances of a cluster (cluster_points.h). Its minimum spanning tree of mutual reachability,
/// with the rule for ties, and its inner nodes are those of clusterTree; the sparseness of a
/// cluster is the heaviest edge between inner nodes, the separation of two the lightest mutual
/// reachability of an inner node of each. These are the choices of the published implementation
/// (validity_index of the Python package hdbscan), and the results agree with it. That
/// implementation finds the tree's edges with a tolerance of 10⁻⁵, so single edges may differ. A
/// cluster of one point has no tree: it counts as noise. Where both distances are equal (all points
/// at one place), the validity is 0.
///
/// Labels of the same points in another order may give another index, since ties are decided by the
/// order of points. Any number of threads gives the same.
///
/// Example:
///
///     const auto validity = densityBasedValidity(cloud, labels);
///     if (!validity) return tl::unexpected(validity.error());
///     return validity->index;
///
/// Performance. Σ n² · d over the clusters for the core distances and half of that for the trees,
/// then a kd-tree over the inner nodes of all clusters. Memory: about 56 + 16 · d bytes a point of
/// the largest cluster, or of the clusters with up to 4,096 points that are worked on at once, and
/// the kd-tree.
///
/// Parameters. `threads` 0: as many as the machine has.
///
/// Errors. BadInput for a cloud that `validate` refuses and for another number of labels; TooLarge
/// where memory or threads are short; Cancelled.
Result<Validity> densityBasedValidity(const PointCloud& cloud, std::span<const std::int32_t> labels,
                                      int threads = 0, const Task& task = {});

}  // namespace clusterloom
