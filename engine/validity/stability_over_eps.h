#pragma once

#include <limits>
#include <span>
#include <vector>

#include "engine/hierarchy/hierarchy.h"
#include "engine/validity/resampling.h"

namespace clusterloom {

/// How stable the clusters of one ε are in samples of the points; NaN where no sample has a point
/// of a cluster.
struct StabilityAt {
  double eps = 0;
  /// The mean over all samples of the mean, over a sample's points in clusters, of the Jaccard
  /// index of their cluster (resampling.h).
  double mean = std::numeric_limits<double>::quiet_NaN();
  double low = mean;   ///< a tenth of the samples are below it
  double high = mean;  ///< a tenth of the samples are above it
};

/// The stability of DBSCAN's clusters by resampling [Hennig 2007] at many ε at once, in their
/// order. `hierarchy` is that of the cloud; that of each sample is built once, for
/// minPtsOfSample(minPts, share), and answers every ε. The samples are those of
/// stabilityByResampling for the same seed, so that means agree with its Jaccard indices.
///
/// Example:
///
///     const auto curve = epsCurve(hierarchy);
///     if (!curve) return tl::unexpected(curve.error());
///     const auto eps = geometricEps(curve->eps.front(), curve->eps.back(), 48);
///     if (!eps) return tl::unexpected(eps.error());
///     const auto stability = stabilityOverEps(cloud, hierarchy, *eps, {.resamples = 20});
///
/// Performance. A hierarchy of each sample, and for each sample and ε the labels of both
/// hierarchies and a few passes over them; threads share the values of ε. 9 bytes a point of the
/// cloud for each thread, beside a hierarchy of a sample.
///
/// Parameters. `samples` has the threads and the periods of the box, which must be those of the
/// hierarchy; its minPts is not used.
///
/// Errors. BadInput where the hierarchy has another number of points; BadCall for options out of
/// range and values of ε that epsSquared refuses; those of Hierarchy::build; Cancelled.
Result<std::vector<StabilityAt>> stabilityOverEps(const PointCloud& cloud,
                                                  const Hierarchy& hierarchy,
                                                  std::span<const double> eps,
                                                  const ResamplingOptions& options = {},
                                                  const HierarchyOptions& samples = {},
                                                  const Task& task = {});

}  // namespace clusterloom
