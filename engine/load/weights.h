#pragma once

#include "engine/load/load_report.h"

namespace clusterloom {

/// The weights that a kernel's warps are modelled with: fitted to measured warp execution
/// efficiencies (listed in tests/data/load; tests/engine/tst_load_weights.cpp fits them again).
/// Pairs: the papers' pair-writing kernels, one set for all strategies. Counts: a kernel that
/// counts; a hit there costs nothing, because it causes no divergence.
LoopWeights weightsOf(LoadKernel kernel);

/// The machine's own weights, or where it has none those of the kernel.
LoopWeights weightsOn(const SimtMachine& machine, LoadKernel kernel);

}  // namespace clusterloom
