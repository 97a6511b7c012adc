#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/join/join_input.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// The predicted cost of indexing k dimensions [Gowanlock 2019, §4.1, §5.6], in coordinates read by
/// all query points together; a step of a search counts as several.
struct CostOfK {
  int k = 1;
  /// Finding the cells, or ranges of cells, that the pattern compares with, and SORTIDU's window in
  /// each of them.
  double cellSearchOps = 0;
  /// Coordinates of candidates that are read: under SORTIDU those in the window only, under SHORTC
  /// those up to the one with which the sum passes ε². A coordinate that a tile reads in a window
  /// counts as several, unless SHORTC is on: without a window tiles compare with vectors.
  double distanceOps = 0;
  double total() const { return cellSearchOps + distanceOps; }
};

/// Predicted costs of k = 1 … min(n, 8), from a sample of the query points, and the cheapest.
struct CostModel {
  std::vector<CostOfK> costs;
  int best = 1;
  std::vector<int> dimensionOrder;  ///< dimensions in the order in which they are indexed
  std::size_t sampled = 0;          ///< query points in the sample
};

/// The largest k that is considered.
inline constexpr std::size_t kMostK = 8;

/// The k of the cheapest.
int cheapestOf(const std::vector<CostOfK>& costs);

/// The cost of a step of a search for cells on a CPU, in coordinates read: it waits for memory and
/// its branch is mispredicted. Measured between 0.5 (SHORTC without vectors) and 8
/// (tests/bench/RESULTS.md).
inline constexpr double kCpuSearchStep = 4;

/// Whether the costs of a strategy are those of costOfTiles (engine/join/tile_cost.h).
bool isCostOfTiles(const Strategy& strategy);

/// Counts, for a sample of the query points (of two clouds: of input.queries, in the index of
/// input.points), what the join of `strategy` does at every k. Its toggles are decided
/// (decideWithoutK, engine/join/join_plan.h) except SORTIDU: Auto means on where k is less than the
/// number of dimensions and dense cells are off.
///
/// Tiles without SORTIDU, the engine's default, are estimated from pairs of points. For the rest an
/// index is built and one query point in a hundred is sampled, at least 256, but no more than fit
/// into a fixed number of steps, so that the time is bounded for any cloud; the same call always
/// samples the same points. Fails with BadCall on a bad ε, BadInput on a bad cloud, Cancelled.
Result<CostModel> costOfK(const JoinInput& input, double eps, const Strategy& strategy,
                          const Task& task = {}, double searchStep = kCpuSearchStep);

}  // namespace clusterloom
