#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/run_stats.h"

namespace clusterloom {

/// Labels that are not cluster numbers.
inline constexpr std::int32_t kNoise = -1;
inline constexpr std::int32_t kSkippedRow = -2;

/// The role of a point in DBSCAN.
enum class PointRole : std::uint8_t { Noise = 0, Border = 1, Core = 2 };

/// ε and minPts. A point is core when it has ≥ minPts neighbours within ε, itself included.
struct DbscanParams {
  double eps = 0.5;
  std::int64_t minPts = 5;
};

/// How many clusters there are, and points of each role.
struct ClusterCounts {
  std::int32_t clusters = 0;
  std::uint64_t coreCount = 0;
  std::uint64_t borderCount = 0;
  std::uint64_t noiseCount = 0;
};

/// DBSCAN's answer: scikit-learn's labelling, element by element. Clusters are numbered 0, 1, … by
/// their lowest core point; a border point takes the lowest-numbered cluster among the core points
/// within ε; noise is −1.
struct Clustering : ClusterCounts {
  DbscanParams params;
  std::vector<std::int32_t> labels;  ///< one per point
  std::vector<PointRole> roles;      ///< one per point
  RunStats stats;
};

}  // namespace clusterloom
