#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clusterloom {

/// Labels that are not cluster numbers.
inline constexpr std::int32_t kNoise = -1;
inline constexpr std::int32_t kSkippedRow = -2;

/// What a point is to DBSCAN.
enum class PointRole : std::uint8_t { Noise = 0, Border = 1, Core = 2 };

/// ε and minPts. A point is core when it has ≥ minPts neighbours within ε, itself included.
struct DbscanParams {
  double eps = 0.5;
  std::int64_t minPts = 5;
};

/// Seconds spent by stage of one run.
struct StageSeconds {
  double index = 0;
  double join = 0;
  double label = 0;
  double total = 0;
};

/// What a run did, for the status line, --json and the runs table.
struct RunStory {
  std::string backend;   ///< "cpu", …
  int threads = 0;
  std::string strategy;  ///< describe(strategy) with every auto resolved
  int indexedDims = 0;
  std::uint64_t cells = 0;                  ///< non-empty cells of the index
  std::uint64_t batches = 0;
  std::uint64_t distanceCalculations = 0;   ///< done; 0 when not counted
  StageSeconds seconds;
  std::string note;  ///< what the engine had to say (sides enlarged, option overridden, …); may be empty
};

/// DBSCAN's answer: scikit-learn's labelling, element by element. Clusters are numbered 0, 1, … by
/// their lowest core point; a border point takes the lowest-numbered cluster among the core points
/// within ε; noise is −1.
struct Clustering {
  DbscanParams params;
  std::vector<std::int32_t> labels;  ///< one a point
  std::vector<PointRole> roles;      ///< one a point
  std::int32_t clusters = 0;
  std::uint64_t coreCount = 0;
  std::uint64_t borderCount = 0;
  std::uint64_t noiseCount = 0;
  RunStory story;
};

}  // namespace clusterloom
