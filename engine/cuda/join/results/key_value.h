#pragma once

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

// The papers' route to a result [Gowanlock 2018, §4.1, §4.3]: nothing is counted beforehand. A
// batch's kernel writes (p, q) pairs in no order, they are sorted by p, then q on the device and
// sent to the host. Batches are cut by the estimate alone; one that gives more pairs than its
// buffer holds writes nothing to the result and is done as two halves. At most 10⁹ pairs: TooLarge
// beyond, as where they do not fit into host memory. Throws CudaFailure, CudaStopped.

/// Backend::pairs by sorted keys. Batches have the strategy's size, or 10⁷ pairs.
Result<PairList> pairsByKeyOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                 const JoinPlan& plan);
/// Backend::neighbourTable by sorted keys.
Result<NeighbourTable> tableByKeyOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                       const JoinPlan& plan);

}  // namespace clusterloom
