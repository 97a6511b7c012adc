#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

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
