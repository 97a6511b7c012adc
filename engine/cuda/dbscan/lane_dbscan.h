#pragma once

#include "engine/cuda/runtime/device.h"
#include "engine/dbscan/clustering.h"
#include "engine/join/join_input.h"
#include "engine/join/join_plan.h"

namespace clusterloom {

/// DBSCAN by three joins of the lane program on a GPU: counts to core flags, union-find over core
/// pairs, and border points. Any pattern and order. The plan is for this cloud and ε, minPts ≥ 1.
/// Throws CudaFailure, CudaStopped.
Clustering laneDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                           const JoinPlan& plan);

}  // namespace clusterloom
