#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/border_lists.h"
#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

struct HierarchyOptions {
  /// 1 … kMaxNeighbours, or any number above the number of points (no point is core then).
  std::int64_t minPts = 5;
  int threads = 0;  ///< 0: as many as the machine has
  /// The periods of a box, one for each dimension, as makePeriodicBox (engine/join/periodic_box.h)
  /// takes them; empty: no box. Distances are then those of the wrapped points by min(|d|, L −
  /// |d|), also where they are half of a period; minPts is at most kMaxNearest.
  std::vector<double> periods = {};
  /// Metrics other than Euclidean need an empty `periods`, and cosine also that nearest neighbours
  /// are not given. Squared distances are squares of distances of this metric
  /// (engine/core/metric.h), for cosine as cosine_hierarchy.h says.
  Metric metric = Metric::Euclidean;
};

/// Seconds of each stage of building a hierarchy.
struct HierarchySeconds {
  double neighbours = 0;  ///< nearest neighbours; 0 where they were given
  double index = 0;       ///< kd-tree, or rounded points
  double tree = 0;        ///< minimum spanning tree
  double sort = 0;        ///< of its edges
  double dendrogram = 0;  ///< and the order of points
  double borders = 0;
  double total = 0;
};

/// The clusters of every ε for one minPts: minimum spanning tree of mutual reachability
/// [Campello 2013], dendrogram, border lists. An immutable value whose copies share their data; any
/// thread may read it.
///
/// Example:
///
///     const auto hierarchy = Hierarchy::build(cloud, {.minPts = 3});
///     if (!hierarchy) return tl::unexpected(hierarchy.error());
///     for (const double eps : {0.5, 1.0, 8.0}) {
///       const auto clusters = hierarchy->labels(eps);
///       if (!clusters) return tl::unexpected(clusters.error());
///       numbers.push_back(clusters->clusters);
///     }
///
/// Performance. The searches for minPts nearest neighbours and for the edges of the tree take most
/// of the time: about n·log n in few dimensions; from 16 Euclidean dimensions on, products of
/// rounded coordinates for about three halves of n² pairs. Above minPts 64 the neighbours are found
/// and kept as nearestNeighbours does for large k, 16 · minPts bytes a point. For minPts 10 in 2-D
/// at most 314 bytes a point at the peak, of which 74 are kept. `labels` is a pass over the points,
/// milliseconds for a million. Times: tests/bench/RESULTS.md.
///
/// Each function names its errors.
class Hierarchy {
 public:
  /// Finds nearest neighbours and builds the hierarchy. BadInput for a cloud that `validate`
  /// refuses, BadCall for minPts outside its range, TooLarge before a run that does not fit into
  /// memory, Cancelled.
  static Result<Hierarchy> build(const PointCloud& cloud, const HierarchyOptions& options,
                                 const Task& task = {});
  /// The same from given nearest neighbours of the cloud, with rows of at least minPts points (or
  /// all points).
  static Result<Hierarchy> build(const PointCloud& cloud, const NearestNeighbours& nearest,
                                 const HierarchyOptions& options, const Task& task = {});

  std::size_t points() const;
  std::int64_t minPts() const;
  const HierarchySeconds& seconds() const;

  /// The core points of a cluster at ε are the points below a node, the highest whose weight is
  /// ≤ fl(ε·ε), or one point whose core distance is. The same for any number of threads.
  const Dendrogram& dendrogram() const;
  /// By point; +∞ where the point is never core.
  std::span<const double> squaredCoreDistances() const;
  /// Points in dendrogram order: the points of a node are those of positions begin(node) to
  /// begin(node) + size.
  std::span<const std::uint32_t> order() const;
  std::span<const std::uint32_t> positions() const;  ///< the inverse: position of each point
  std::size_t begin(std::size_t node) const;
  std::uint32_t lowestPoint(std::size_t node) const;
  const BorderLists& borders() const;
  std::uint64_t bytes() const;  ///< of memory that it keeps

  /// DBSCAN's clustering at ε, equal to that of every backend element by element. BadCall for ε
  /// that epsSquared refuses. `nodes`, if given, receives the dendrogram node of each cluster, by
  /// which a cluster can be followed from one ε to another.
  Result<Clustering> labels(double eps, std::vector<std::uint32_t>* nodes = nullptr) const;

 private:
  struct Data;
  explicit Hierarchy(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  friend struct HierarchyBuilder;
  std::shared_ptr<const Data> data_;
};

}  // namespace clusterloom
