#pragma once

#include <cstdint>
#include <span>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// A lower bound of the passes over all vertices that G-DBSCAN's search
/// (engine/dbscan/g_dbscan_program.h) takes, known before the graph is built: by a breadth-first
/// search over the non-empty ε-cells of the core points, in as many dimensions as can be searched
/// in some tens of milliseconds. Never more than GraphSearch::passes(). `degrees` by point, itself
/// included. The cloud satisfies `validate`, ε `epsSquared`. Cancelled.
///
/// Proof. An edge joins points of the same or of adjacent cells, so levels over cells are a lower
/// bound of levels over points. Let X be a connected component of the cells that hold core points,
/// with D levels of cells beyond that of its lowest core point. A cluster whose farthest vertex is
/// e edges from its root takes e + 1 levels and one labelling, e + 2 passes.
/// If X holds one cluster, its root is the lowest core point of X, and e ≥ D. With two core points
/// or more, e ≥ 1.
/// If X holds m ≥ 2 clusters, each spans at most 2e + 1 of the D + 1 levels of cells, and together
/// they span all of them: Σ (2e + 1) ≥ D + 1, so Σ (e + 2) ≥ (D + 1) / 2 + 3m / 2 ≥ (D + 1) / 2
/// + 3. The smaller of the two holds in any case, and D = 0 with two core points gives min(3, 4).
Result<std::uint64_t> leastPasses(const PointCloud& cloud, double eps,
                                  std::span<const std::uint32_t> degrees, std::uint32_t minPts,
                                  const Task& task);

}  // namespace clusterloom
