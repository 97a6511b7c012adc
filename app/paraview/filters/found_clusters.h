#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/dbscan/clustering.h"

namespace clusterloom::paraview {

/// The results of a filter: the arrays that it makes, with one entry for each point in the order of
/// the pieces, and figures of the whole cloud.
struct FoundClusters {
  std::optional<std::vector<std::int32_t>> labels;
  std::optional<std::vector<PointRole>> roles;
  std::optional<std::vector<double>> probabilities;
  std::optional<std::vector<double>> outlierScores;
  double eps = 0;  ///< that was used; 0 where none was
  std::int64_t clusters = 0;
  std::int64_t noise = 0;  ///< points
};

/// Calls use(array, value of a point that was left out) for each array by point, made or not.
template <class Use>
void forEachArray(FoundClusters& found, const Use& use) {
  use(found.labels, kSkippedRow);
  use(found.roles, PointRole::Noise);
  use(found.probabilities, 0.0);
  use(found.outlierScores, 0.0);
}

}  // namespace clusterloom::paraview
