#pragma once

#include "engine/join/join_plan.h"
#include "engine/load/load_report.h"

namespace clusterloom {

/// The sink of the modelled kernel.
SinkKind sinkOf(LoadKernel kernel);

/// The strategy with the batches of that kernel: Strategy::batchPairs; where that is not set, 10⁸
/// pairs if pairs are written [Gallet 2019, §II-C2], else one batch.
Strategy withBatchesOf(LoadKernel kernel, const Strategy& strategy);

}  // namespace clusterloom
