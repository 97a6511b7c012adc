#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// The figures of DBSCAN for every minPts at one ε. Row i holds for minPts from minPts[i] to
/// minPts[i + 1] − 1, the last row for every larger one; the first row is that of minPts 1.
struct MinPtsCurve {
  std::vector<std::uint64_t> minPts;  ///< ascending
  std::vector<std::uint32_t> clusters;
  std::vector<std::uint32_t> core;   ///< points
  std::vector<std::uint32_t> noise;  ///< points
};

/// The curve of a self-join's neighbour table: one pass over its pairs. A point is core for every
/// minPts up to its number of neighbours. So points become core in descending order of that number,
/// and each is united with its neighbours that are core already. Cancelled.
Result<MinPtsCurve> minPtsCurve(const NeighbourTable& table, const Task& task = {});

}  // namespace clusterloom
