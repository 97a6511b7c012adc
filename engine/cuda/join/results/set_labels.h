#pragma once

#include <cstdint>

#include "engine/cuda/runtime/device.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// Labels, roles and numbers of `clustering` from what the device holds by point: core flags, and
/// for each point the id of its set, a number below the number of points and equal for core points
/// of one cluster, or all bits set for noise. Waits.
void labelBySets(GpuRun& run, const DeviceBuffer<std::uint8_t>& core,
                 const DeviceBuffer<std::uint32_t>& sets, Clustering& clustering);

}  // namespace clusterloom
