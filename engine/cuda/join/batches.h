#pragma once

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// Backend::neighbourTable on a GPU, by a plan for this input and ε: count, scan, fill, in at least
/// three batches of at most the strategy's size [Gowanlock 2018, §4.1]. They run on the number of
/// streams of the strategy, six where it gives none, so that one batch's kernels, another's
/// transfer and the building of the table on the host overlap; the stats's timeline shows it.
///
/// A batch's rows are counted before it is filled. One whose rows do not fit into its buffer writes
/// nothing anywhere and is done as two halves instead.
///
/// TooLarge, with the number of pairs, when the table (and `bytesMore` bytes a pair on top, for the
/// caller) does not fit into host memory. Throws CudaFailure, CudaStopped.
Result<NeighbourTable> tableOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                  const JoinPlan& plan, std::uint64_t bytesMore);

/// Backend::pairs on a GPU: the table as a list.
Result<PairList> pairsOnGpu(GpuRun& run, const JoinInput& input, double eps, const JoinPlan& plan);

}  // namespace clusterloom
