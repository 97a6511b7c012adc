#pragma once

#include "engine/cuda/runtime/device.h"
#include "engine/join/join_plan.h"
#include "engine/load/load_report.h"

namespace clusterloom {

/// Backend::load on a GPU: the load of every warp as measured by an instrumented kernel, with the
/// batches of the plan (engine/load/load_kernel.h). The kernel is loaded before the measurement;
/// pairs are written to device memory and discarded. Times are of the instrumented kernel, which is
/// slower than the one that joins. `weights` are those of the report's WEE.
///
/// The strategy is by the grid. Throws CudaFailure, CudaStopped.
LoadReport measureLoadOnGpu(GpuRun& run, const PointCloud& cloud, double eps, const JoinPlan& plan,
                            const LoadRequest& request, const LoopWeights& weights);

}  // namespace clusterloom
