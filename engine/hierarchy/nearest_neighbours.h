#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The most neighbours, the point itself included, that `nearestNeighbours` finds for a point.
inline constexpr int kMaxNeighbours = 1024;
/// The most neighbours that searchLeaves (leaf_search.h) finds for a point.
inline constexpr int kMaxNearest = 64;

/// The nearest neighbours of every point of a cloud: n rows of k entries, k = min(asked, n). A row
/// starts with the point itself; its nearest other points follow by (squared distance, id), both
/// ascending. Distances are canonical squared distances (engine/core/predicate.h), for other
/// metrics the squared lengths of engine/core/metric.h, so that they can be compared with
/// epsSquared(ε).
struct NearestNeighbours {
  std::size_t points = 0;
  int k = 0;
  LargeArray<std::uint32_t> ids;        ///< points × k, row by row
  LargeArray<double> squaredDistances;  ///< the same shape

  std::span<const std::uint32_t> idsOf(std::size_t p) const {
    return {ids.data() + p * std::size_t(k), std::size_t(k)};
  }
  std::span<const double> squaredDistancesOf(std::size_t p) const {
    return {squaredDistances.data() + p * std::size_t(k), std::size_t(k)};
  }
  /// Fetches rows into the cache, for readers in an order other than that of the points.
  void prefetchIds(std::size_t p) const {
    __builtin_prefetch(idsOf(p).data());
    __builtin_prefetch(&idsOf(p).back());
  }
  void prefetchSquaredDistances(std::size_t p) const {
    __builtin_prefetch(squaredDistancesOf(p).data());
    __builtin_prefetch(&squaredDistancesOf(p).back());
  }
};

/// BadCall for k outside 1 … kMaxNeighbours, in a periodic box outside 1 … kMaxNearest.
Result<void> checkNearest(int k, bool inBox = false);

/// Finds the k nearest neighbours of every point, itself included. Exact: equal to a comparison of
/// all pairs, ties included. findNearest (engine/hierarchies.h) can use a GPU.
///
/// Example:
///
///     const auto nearest = nearestNeighbours(cloud, 2);
///     if (!nearest) return tl::unexpected(nearest.error());
///     const double spacing = std::sqrt(nearest->squaredDistancesOf(0)[1]);
///
/// Performance. A kd-tree is built and all its leaves are searched in parallel: about n·log n in
/// few dimensions. From 16 dimensions on, and for k above kMaxNearest, products of rounded
/// coordinates of all points that are not proven far apart, up to n² of them. 12·k bytes a point
/// for the result, beside the tree.
///
/// Parameters. `threads` 0: as many as the machine has. `periods`: those of a periodic box, one for
/// each dimension, as makePeriodicBox (engine/join/periodic_box.h) takes them; distances are then
/// those of the wrapped points by min(|d|, L − |d|), found by trees only, with k at most
/// kMaxNearest. `metric`: Euclidean, Manhattan or Chebyshev (findNearest takes cosine distances,
/// too); the last two are found by trees only, which compare all points where boxes rule out none.
///
/// Errors. BadCall for k outside 1 … kMaxNeighbours, or above kMaxNearest in a box, for other
/// periods, and for a metric in a box; BadInput for a cloud that `validate` refuses;
/// TooLarge before results that do not fit into memory; Cancelled.
Result<NearestNeighbours> nearestNeighbours(const PointCloud& cloud, int k, int threads = 0,
                                            const Task& task = {},
                                            const std::vector<double>& periods = {},
                                            Metric metric = Metric::Euclidean);

struct LeafTree;
struct RoundedPoints;

/// The same for the places of a tree of the cloud's points, leaf × kLeafSize + lane: row i is
/// that of place i, and ids are places. Ties are by point. On the caller's TBB arena; k must be in
/// its range. Cancelled. Throws std::bad_alloc.
Result<NearestNeighbours> nearestPlaces(const LeafTree& tree, int k, const Task& task);

/// The same by products, for the places of rounded points (placesOf in
/// engine/hierarchy/spanning_by_products.h).
Result<NearestNeighbours> nearestPlaces(const RoundedPoints& points, const LeafTree& places, int k,
                                        const Task& task);

/// The k nearest points of `cloud` for every point of `queries`, another cloud: rows of min(k,
/// points of the cloud) entries by (squared distance, id); ids are points of `cloud`. Exact, and
/// found as by nearestNeighbours; both clouds lie in the box of `periods`. Errors are those of
/// nearestNeighbours and of validate(JoinInput).
Result<NearestNeighbours> nearestOf(const PointCloud& queries, const PointCloud& cloud, int k,
                                    int threads = 0, const Task& task = {},
                                    const std::vector<double>& periods = {},
                                    Metric metric = Metric::Euclidean);

}  // namespace clusterloom
