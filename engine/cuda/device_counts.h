#pragma once

#include "engine/backend.h"
#include "engine/cuda/device_join.h"

namespace clusterloom {

/// Neighbours of every point, by position, and, for half patterns, what each query found itself.
struct DeviceCounts {
  DeviceBuffer<std::uint32_t> counts;
  DeviceBuffer<std::uint32_t> found;  ///< empty under full and tile, whose counts say it
};

/// Queues the counting pass.
DeviceCounts countNeighbours(GpuRun& run, DeviceJoin& join, std::vector<BatchEvents>& timeline);

/// Backend::count on a GPU, by a plan for this cloud and ε. Throws CudaFailure, CudaStopped.
NeighbourCounts countOnGpu(GpuRun& run, const PointCloud& cloud, double eps, const JoinPlan& plan);

}  // namespace clusterloom
