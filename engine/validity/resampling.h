#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

struct ResamplingOptions {
  std::uint32_t resamples = 20;
  double share = 0.5;  ///< of the points in a sample, above 0 and below 1
  std::uint64_t seed = 1;
};

/// A cluster is found again in a sample where its Jaccard index is at least this [Hennig 2007].
inline constexpr double kFoundAgain = 0.75;

/// The stability of a cluster in samples of the points.
struct ClusterStability {
  std::int32_t cluster = 0;  ///< its label
  std::uint64_t points = 0;
  std::uint32_t samples = 0;  ///< that have points of it
  std::uint32_t found = 0;    ///< of these, in which it was found again
  /// The mean of its Jaccard index over these samples, 0 … 1; NaN where there are none.
  double jaccard = std::numeric_limits<double>::quiet_NaN();
};

/// Labels of a sample, one for each point: numbered from 0, and below 0 for noise.
using LabelSample =
    std::function<Result<std::vector<std::int32_t>>(const PointCloud& sample, const Task& task)>;

/// minPts for a sample with a share of the points: 1 + share · (minPts − 1), rounded, so that at
/// the same ε about the same places are dense.
std::int64_t minPtsOfSample(std::int64_t minPts, double share);

/// The points in a sample of a share of them, at least one.
std::size_t pointsOfSample(std::size_t points, double share);

/// BadCall for options out of range; the errors of `validate`.
Result<void> checkResampling(const PointCloud& cloud, const ResamplingOptions& options);

/// The stability of each cluster by resampling [Hennig 2007], for labels of a cloud, below 0 for
/// noise. `label` clusters random samples without replacement; of a cluster's points in a sample,
/// C, the Jaccard index is the largest |C ∩ D| / |C ∪ D| over the clusters D that were found there.
/// By label; the same for the same seed on every machine and for any number of threads, if `label`
/// is.
///
/// Example:
///
///     const auto label = [&](const PointCloud& sample, const Task& task)
///         -> Result<std::vector<std::int32_t>> {
///       auto found = backend.dbscan(sample, {eps, minPtsOfSample(minPts, 0.5)}, {}, task);
///       if (!found) return tl::unexpected(found.error());
///       return std::move(found->labels);
///     };
///     const auto stability = stabilityByResampling(cloud, labels, {.resamples = 20}, label);
///
/// Performance. For each sample of m points a copy of them, `label`, and a few passes
/// over the labels; memory 16 + 8 · d bytes a point of it, and 8 a label.
///
/// Errors. BadInput for another number of labels; BadCall for options out of range; those of
/// `label`; TooLarge where memory is short; Cancelled.
Result<std::vector<ClusterStability>> stabilityByResampling(const PointCloud& cloud,
                                                            std::span<const std::int32_t> labels,
                                                            const ResamplingOptions& options,
                                                            const LabelSample& label,
                                                            const Task& task = {});

/// `wanted` of n ids, ascending; every such set is equally likely (Knuth, selection sampling). The
/// same for the same seed and stream on every machine.
std::vector<std::uint32_t> drawSample(std::size_t n, std::size_t wanted, std::uint64_t seed,
                                      std::uint64_t stream);

/// The overlap of a cluster with the clusters of a sample.
struct Overlap {
  std::uint32_t points = 0;  ///< of the cluster that are in the sample
  /// The largest |C ∩ D| / |C ∪ D| of these points, C, and a cluster D that was found in the
  /// sample; 0 where none of them is in one.
  double jaccard = 0;
};

/// The overlaps of clusters 0 … `clusters` − 1. `given` and `found` have two labels for each point
/// of the sample, below 0 for noise; those found are numbered from 0. A few passes over the points.
std::vector<Overlap> overlapsOf(std::span<const std::int32_t> given, std::size_t clusters,
                                std::span<const std::int32_t> found);

}  // namespace clusterloom
