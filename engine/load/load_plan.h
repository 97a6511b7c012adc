#pragma once

#include "engine/join/join_plan.h"
#include "engine/load/load_report.h"

namespace clusterloom {

/// What a kernel that is looked at does with its pairs.
SinkKind sinkOf(LoadKernel kernel);

/// The strategy with the batches in which that kernel goes: Strategy::batchPairs; where it does not
/// say, 10⁸ pairs if pairs are written [Gallet 2019, §II-C2], else one batch.
Strategy withBatchesOf(LoadKernel kernel, const Strategy& strategy);

}  // namespace clusterloom
