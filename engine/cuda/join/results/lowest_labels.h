#pragma once

#include <cstdint>
#include <span>

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// Backend::lowestLabels on a GPU, by a plan for these two clouds and ε; there is a label for each
/// of input.points. Throws CudaFailure, CudaStopped.
LowestLabels lowestLabelsOnGpu(GpuRun& run, const JoinInput& input,
                               std::span<const std::int32_t> labels, double eps,
                               const JoinPlan& plan);

}  // namespace clusterloom
