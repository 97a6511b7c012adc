#pragma once

#include <cstdint>
#include <span>

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"
#include "engine/join/distance_bins.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// Backend::histogram on a GPU, by a plan for this input and ε. Throws CudaFailure, CudaStopped.
DistanceHistogram histogramOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                 const DistanceBins& bins, const JoinPlan& plan);

/// Backend::lowestLabels on a GPU, by a plan for these two clouds and ε; there is a label for each
/// of input.points. Throws CudaFailure, CudaStopped.
LowestLabels lowestLabelsOnGpu(GpuRun& run, const JoinInput& input,
                               std::span<const std::int32_t> labels, double eps,
                               const JoinPlan& plan);

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
