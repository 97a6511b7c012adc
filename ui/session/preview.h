#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "ui/session/results.h"
#include "ui/session/weights.h"

namespace clusterloom {

/// The fixed subsample of a cloud that previews cluster while ε is dragged.
struct PreviewSample {
  PointCloud cloud;
  std::vector<std::int32_t> points;  ///< ids in the whole cloud, ascending
  std::uint64_t of = 0;              ///< points of the whole cloud
};

/// How many points of a cloud a preview takes: 20,000, fewer in many dimensions, where even brute
/// force must end within the 150 ms that a preview may take.
std::size_t previewPoints(std::size_t points, std::size_t dims);

/// One point out of each of `count` equal runs of the cloud, its place in the run given by a hash
/// of the run's number: the same points each time, and no stride that could interfere with the
/// input's order.
PreviewSample makePreviewSample(const PointCloud& cloud, std::size_t count);

/// ε and minPts for a subsample that keep the density threshold minPts / ε^d of the whole cloud:
/// minPts shrinks with the sample, though not below 4 (or the given minPts, if smaller), since a
/// threshold of one or two points would join everything; ε grows by the d-th root of the factor by
/// which minPts could not shrink. Where points have weights, of this mean, it is not below 4 such
/// points.
DbscanParams previewParams(const DbscanParams& asked, std::uint64_t sampled, std::uint64_t points,
                           std::size_t dims, double meanWeight = 1);

/// Clusters the sample, of a cloud so scaled in a space, with the weights of its points (null:
/// none), on one thread, with colours that follow `previous` (null: fresh colours), whose clusters
/// have `colours` (empty: their numbers).
Result<PreviewClustering> previewOf(const PreviewSample& sample, const DbscanParams& asked,
                                    const Space& space, const Scaling& scaling,
                                    const Weights& weights, const ClusterResult* previous,
                                    std::span<const std::int32_t> colours, const Task& task);

}  // namespace clusterloom
