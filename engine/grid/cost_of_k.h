#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// What indexing k dimensions is predicted to cost (paper 003 §4.1, §5.6).
struct CostOfK {
  int k = 1;
  double cellSearchOps = 0;  ///< N · 3^k · ⌈log₂(non-empty cells at k)⌉
  double distanceOps = 0;    ///< Σ_sample candidates(k) · n / f
  double total() const { return cellSearchOps + distanceOps; }
};

/// Predicted costs of k = 1 … min(n, 8), from a sample of the points, and the cheapest.
struct CostModel {
  std::vector<CostOfK> costs;
  int best = 1;
  std::vector<int> dimensionOrder;  ///< dimensions by descending variance of a 1 % sample (REORDER)
};

/// Fails with BadCall on a bad ε and BadInput on a bad cloud.
Result<CostModel> costOfK(const PointCloud& cloud, double eps, const Task& task = {});

}  // namespace clusterloom
