#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// The k nearest neighbours of every point of a non-empty cloud, equal to nearestNeighbours' of the
/// same k, 1 ≤ k ≤ kMaxNearest. Throws CudaFailure, CudaStopped.
NearestNeighbours nearestOnGpu(GpuRun& run, const DeviceCloud& cloud, int k);

/// A minimum spanning tree of mutual reachability between the points of a non-empty cloud, in
/// ascending order of weight; minPts as for Hierarchy::build. Throws CudaFailure, CudaStopped.
LargeArray<TreeEdge> treeOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts);

Dendrogram dendrogramOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts,
                           LargeArray<std::uint32_t>& positions);

/// Names and milliseconds of the stages of a hierarchy on the device, the cloud being there.
using StageTimes = std::vector<std::pair<std::string, double>>;
StageTimes timeHierarchyOnGpu(GpuRun& run, const DeviceCloud& cloud, std::int64_t minPts);

}  // namespace clusterloom
