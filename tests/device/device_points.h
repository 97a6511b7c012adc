#pragma once

#include <cstdint>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"

/// Clouds made on a device from the numbers of their points, so that each GPU makes its part of a
/// cloud of any size.
namespace devicePoints {

enum class Kind {
  Uniform,      ///< in [0, 100)
  Exponential,  ///< λ = 40, as Expo-nD of [Gowanlock 2019, §6]
};

/// Points first … first + count − 1 of the cloud, queued on the run's stream.
clusterloom::DeviceCloud make(clusterloom::GpuRun& run, Kind kind, std::uint64_t first,
                              std::size_t count, std::size_t dims);

}  // namespace devicePoints
