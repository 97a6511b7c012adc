#include "engine/load/weights.h"

#include <cmath>

namespace clusterloom {
namespace {

double squaredError(std::span<const WeightObservation> observations, const LoopWeights& weights) {
  double sum = 0;
  for (const WeightObservation& o : observations) {
    const double error =
        warpExecutionEfficiency(o.steps.steps, o.steps.laneSteps, weights) - o.measured;
    sum += error * error;
  }
  return sum;
}

}  // namespace

LoopWeights weightsOf(LoadKernel kernel) {
  // A turn of the cell loop cannot be told from the searches in it: there are so many more of
  // these.
  if (kernel == LoadKernel::Counts) return {{0, 5, 16, 0}};
  return {{0, 1.2, 16, 8}};
}

// Pattern search: three unknowns and a smooth sum of few terms need no derivatives. Each round
// tries every weight a factor up and down; where nothing helps the factor shrinks.
LoopWeights fitWeights(std::span<const WeightObservation> observations, const LoopWeights& start) {
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
