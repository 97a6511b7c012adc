#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/shared_progress.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The points of one cluster, dimension-major: coordinate j of point i is at j × size + i. Point i
/// is ids[i] of the cloud; ids ascend.
struct ClusterPoints {
  std::span<const std::uint32_t> ids;
  std::size_t dims = 0;
  LargeArray<double> coordinates;

  std::size_t size() const { return ids.size(); }
};

/// Points compared at once: their distances stay in the first cache.
inline constexpr std::size_t kBlock = 512;

/// Copies the points of a cluster. Throws std::bad_alloc.
ClusterPoints gather(const PointCloud& cloud, std::span<const std::uint32_t> ids);

/// The canonical squared distances of a point, whose coordinate j is at[j], to points [begin, begin
/// + count) of an array of coordinates as in ClusterPoints. count ≤ kBlock.
void squaredDistances(const double* at, const double* coordinates, std::size_t size,
                      std::size_t dims, std::size_t begin, std::size_t count, double* squared);

/// Squared all-points core distances [Moulavi 2014, definition 1] of the points of a cluster of n ≥
/// 2 points in d dimensions:
///
///     a(p) = ( Σ (1 / dist(p, q))^d / (n − 1) )^(−1/d)
///
/// over the other points q at another place. Duplicates of p add nothing, as in the published
/// implementation (their terms would be infinite); a(p) is 0 where all points are at one place.
///
/// n² · d steps in blocks, by the threads of the caller's arena, without further memory. A point's
/// terms are added in an order that depends on n alone: the same for any number of threads. Adds n
/// a point to `progress`; incomplete where the task is stopped.
void allPointsCore(const ClusterPoints& points, std::span<double> squaredCore,
                   SharedProgress& progress, const Task& task);

/// The input of DBCV from the spanning tree of a cluster.
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
/// Ties are frequent, since all edges from a point to points within a large core distance weigh the
/// same, and they decide which nodes are inner ones. Hence the tree is that of the published
/// implementation: it grows from the first point; the next point is the one with the lightest edge
/// to the tree, the first of several; its edge goes to the first point of the tree with an edge of
/// that weight.
///
/// Prim's algorithm: n² / 2 · d steps, 8 · d + 41 bytes a point. Each step's search is divided
/// between the threads of the caller's arena where many points are left. Adds n² / 2 to `progress`;
/// incomplete where the task is stopped.
ClusterTree clusterTree(const ClusterPoints& points, std::span<const double> squaredCore,
                        SharedProgress& progress, const Task& task);

/// How far a cluster is from the others.
struct Separation {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  double squared = 0;             ///< +∞ without another cluster
  std::uint32_t nearest = kNone;  ///< the cluster there; of several the first
};

/// For each of `clusters` clusters the least density separation [Moulavi 2014, definition 6] from
/// another one: the smallest squared mutual reachability, max(a(p), a(q), dist(p, q)), of an inner
/// node p of one and an inner node q of the other. `inner` are the inner nodes of all clusters;
/// `clusterOf` and `squaredCore` have a value for each of them.
///
/// A kd-tree over all inner nodes; boxes that cannot be nearer, or whose core distances are too
/// large, are left out. About n·log n in few dimensions, n² in many. By the threads of the caller's
/// arena. Cancelled. Throws std::bad_alloc.
Result<std::vector<Separation>> densitySeparations(const PointCloud& inner,
                                                   std::span<const std::uint32_t> clusterOf,
                                                   std::span<const double> squaredCore,
                                                   std::size_t clusters, const Task& task);

}  // namespace clusterloom
