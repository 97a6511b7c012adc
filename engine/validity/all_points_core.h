#pragma once

#include <span>

#include "engine/core/shared_progress.h"
#include "engine/core/task.h"
#include "engine/validity/cluster_points.h"

namespace clusterloom {

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

}  // namespace clusterloom
