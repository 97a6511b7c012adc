#pragma once

#include "engine/join/join_plan.h"
#include "engine/load/load_report.h"

namespace clusterloom {

/// The weights that a kernel's warps are modelled with: fitted to measured warp execution
/// efficiencies (listed in tests/data/load; tests/engine/tst_load_weights.cpp fits them again).
/// Pairs: the papers' pair-writing kernels, one set for all strategies. Counts: a kernel that
/// counts; a hit there costs nothing, because it causes no divergence.
LoopWeights weightsOf(LoadKernel kernel);

/// The machine's own weights, or where it has none those of the kernel.
LoopWeights weightsOn(const SimtMachine& machine, LoadKernel kernel);

/// The sink of the modelled kernel.
SinkKind sinkOf(LoadKernel kernel);

/// The strategy with the batches of that kernel: Strategy::batchPairs; where that is not set, 10⁸
/// pairs if pairs are written [Gallet 2019, §II-C2], else one batch.
Strategy withBatchesOf(LoadKernel kernel, const Strategy& strategy);

}  // namespace clusterloom
