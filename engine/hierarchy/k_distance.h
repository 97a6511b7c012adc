#pragma once

#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// The k-distance plot: for all points or a sample of them, the distance to the k-th nearest point,
/// the point itself being the first (so k = minPts gives the smallest ε at which it is core).
struct KDistances {
  int k = 1;
  std::uint64_t sampled = 0;      ///< points measured
  bool isWhole = false;           ///< these are all points of the cloud
  std::vector<double> distances;  ///< descending, one per point measured
  double suggestedEps = 0;        ///< at the knee: the point farthest below the chord of the curve
};

/// Exact distances to the k-th nearest of all points, for a seeded sample of at most `maxSample`
/// points. The distance at the knee of the curve is an ε to begin with [Ester 1996, §4.2].
///
/// Example:
///
///     const auto curve = kDistances(cloud, 10, 5000);
///     if (!curve) return tl::unexpected(curve.error());
///     const double eps = curve->suggestedEps;
///
/// Performance. A kd-tree of all points, then one search for each sampled point, by the threads of
/// the caller's TBB arena. From 17 dimensions on the sampled points share each reading of the
/// others: for k up to kMaxNeighbours by products of rounded coordinates
/// (engine/product/product_nearest.h), of Manhattan and Chebyshev distances for k up to kMaxNearest
/// in the tree. In many dimensions, and for a k near the number of points, fewer points are
/// queried: as many as take about a second or two. Cosine distances take the memory of the cloud in
/// doubles.
///
/// Parameters. `metric`: distances are those of it, each the smallest ε at which DBSCAN with this
/// metric takes the point as core.
///
/// Errors. BadCall when k < 1 or k > the number of points; BadInput for cosine distances of a point
/// at the origin; TooLarge where the tree does not fit into memory; Cancelled.
Result<KDistances> kDistances(const PointCloud& cloud, int k, std::uint64_t maxSample,
                              const Task& task = {}, Metric metric = Metric::Euclidean);

/// The same for all points, where k ≤ kMaxNearest and a search for some points forecasts a few
/// seconds; else for a sample, as above. Makes the same choice for the same cloud and k, as long as
/// there is memory.
Result<KDistances> kDistancesOfAll(const PointCloud& cloud, int k, std::uint64_t maxSample,
                                   const Task& task = {}, Metric metric = Metric::Euclidean);

/// A useful range of ε for a slider: from about the spacing of the closest points to the
/// diagonal of the bounding box, by this metric; at most 2 for cosine distances. Both positive and
/// finite, low < high, also for one point or all duplicates. Measured on a sample in about a
/// second; when stopped, and for cosine distances of a point at the origin, the range is legal but
/// not measured.
struct EpsRange {
  double low = 0;
  double high = 1;
};
EpsRange sensibleEpsRange(const PointCloud& cloud, const Task& task = {},
                          Metric metric = Metric::Euclidean);

}  // namespace clusterloom
