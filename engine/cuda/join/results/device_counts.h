#pragma once

#include <cstdint>
#include <optional>

#include "engine/backend.h"
#include "engine/cuda/join/device_join.h"

namespace clusterloom {

/// Neighbours of every point, by position, and, for half patterns, what each query found itself.
struct DeviceCounts {
  DeviceBuffer<std::uint32_t> counts;
  DeviceBuffer<std::uint32_t> found;  ///< empty under full and tile, whose counts say it
};

/// Queues the counting pass, batch by batch.
DeviceCounts countNeighbours(GpuRun& run, DeviceJoin& join, std::vector<BatchEvents>& timeline);

/// The same for all queries at once in the order of cells, where the counts only say how long rows
/// are to be.
DeviceCounts countInCellOrder(GpuRun& run, DeviceJoin& join);

/// What the full pattern examines for the join's points; `calculations`, where given, are what its
/// own pattern decided in one pass. Waits.
std::uint64_t candidatesOfFullPattern(GpuRun& run, DeviceJoin& join,
                                      std::optional<std::uint64_t> calculations = {});

/// The sum of counts, which is the number of ordered pairs. Waits.
std::uint64_t pairsOf(GpuRun& run, const DeviceBuffer<std::uint32_t>& counts);

/// Backend::count on a GPU, by a plan for this input and ε. Throws CudaFailure, CudaStopped.
NeighbourCounts countOnGpu(GpuRun& run, const JoinInput& input, double eps, const JoinPlan& plan);

}  // namespace clusterloom
