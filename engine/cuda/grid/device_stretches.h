#pragma once

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/grid/stretches.h"

namespace clusterloom {

/// The stretches of a cloud on the device for this ε, found there except for points far from the
/// median, whose stretches the host finds. Run and cloud must outlive the result. Finding waits,
/// and throws CudaStopped.
Stretches stretchesOf(GpuRun& run, const DeviceCloud& cloud, double eps);

}  // namespace clusterloom
