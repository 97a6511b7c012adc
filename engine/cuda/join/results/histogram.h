#pragma once

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"
#include "engine/join/distance_bins.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// Backend::histogram on a GPU, by a plan for this input and ε. Throws CudaFailure, CudaStopped.
DistanceHistogram histogramOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                 const DistanceBins& bins, const JoinPlan& plan);

}  // namespace clusterloom
