#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "engine/load/load_report.h"
#include "engine/load/trace_lane.h"

namespace clusterloom {

/// The steps that the model has for a run, and the efficiency that was measured for it, 0 … 1.
struct WeightObservation {
  WarpSteps steps;
  double measured = 0;
};

inline double squaredError(std::span<const WeightObservation> observations,
                           const LoopWeights& weights) {
  double sum = 0;
  for (const WeightObservation& o : observations) {
    const double error =
        warpExecutionEfficiency(o.steps.steps, o.steps.laneSteps, weights) - o.measured;
    sum += error * error;
  }
  return sum;
}

/// The weights that bring the modelled efficiencies nearest to the measured ones, by least squares
/// over all that are ≥ 0. Only their ratios matter: a candidate's is that of `start`, which is
/// where the search begins. Weights that are 0 in `start` stay 0. Deterministic.
inline LoopWeights fitWeights(std::span<const WeightObservation> observations,
                              const LoopWeights& start) {
  LoopWeights best = start;
  double least = squaredError(observations, best);
  for (double factor = 2; factor > 1.0001;) {
    bool better = false;
    for (const Loop loop : {Loop::Cell, Loop::Search, Loop::Hit})
      for (const double by : {factor, 1 / factor}) {
        LoopWeights tried = best;
        tried.of[static_cast<std::size_t>(loop)] *= by;
        const double error = squaredError(observations, tried);
        if (error >= least) continue;
        least = error;
        best = tried;
        better = true;
      }
    if (!better) factor = std::sqrt(factor);
  }
  return best;
}

}  // namespace clusterloom
