#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/backend.h"

namespace clusterloom {

/// One step of a sweep over ε.
struct SweepPoint {
  double eps = 0;
  std::int32_t clusters = 0;
  std::uint64_t noise = 0;
  std::uint64_t largest = 0;  ///< size of the largest cluster
  double seconds = 0;
};

/// Values of ε of a sweep, at most.
inline constexpr int kMostSweepSteps = 10000;

/// N values from low to high, geometrically spaced, both ends included exactly (N = 1: low only).
/// BadCall unless 0 < low ≤ high, both finite, and 1 ≤ count ≤ 10,000.
Result<std::vector<double>> geometricEps(double low, double high, int count);

/// Runs DBSCAN of one cloud, preferably a prepared one, at each ε; `onPoint` gets each step when it
/// is ready. `weights` are those of the points (weighted_dbscan.h), or empty. Cancelled when
/// stopped.
Result<std::vector<SweepPoint>> sweepEps(const Backend& backend, const JoinInput& input,
                                         const std::vector<double>& eps, std::int64_t minPts,
                                         const Strategy& strategy,
                                         const std::function<void(const SweepPoint&)>& onPoint,
                                         const Task& task = {},
                                         std::span<const double> weights = {});

}  // namespace clusterloom
