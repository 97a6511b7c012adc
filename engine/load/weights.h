#pragma once

#include <span>

#include "engine/load/load_report.h"
#include "engine/load/trace_lane.h"

namespace clusterloom {

/// The weights that a kernel's warps are modelled with: fitted by `fitWeights` to measured warp
/// execution efficiencies (tests/data/load says which; tests/engine/tst_load_weights.cpp fits them
/// again). Pairs: the papers' pair-writing kernels, one set for all strategies. Counts: a kernel
/// that counts; a hit there costs nothing, for it diverges nowhere.
LoopWeights weightsOf(LoadKernel kernel);

/// The steps that the model has for a run, and the efficiency that was measured for it, 0 … 1.
struct WeightObservation {
  WarpSteps steps;
  double measured = 0;
};

/// The weights that bring the modelled efficiencies nearest to the measured ones, by least squares
/// over all that are ≥ 0. Only their ratios matter: a candidate's is that of `start`, which is
/// where the search begins. Weights that are 0 in `start` stay 0. Deterministic.
LoopWeights fitWeights(std::span<const WeightObservation> observations, const LoopWeights& start);

}  // namespace clusterloom
