#pragma once

#include <cstddef>

#include "engine/cloud/point_cloud.h"
#include "engine/cuda/runtime/device.h"

namespace clusterloom {

/// A cloud in device memory: dimension-major, columns without gaps (coordinate j of point i is
/// data[j · size + i]).
struct DeviceCloud {
  DeviceBuffer<double> coordinates;
  std::size_t size = 0;
  std::size_t dims = 0;
  const PointCloud* host = nullptr;  ///< what was uploaded

  const double* column(std::size_t j) const { return coordinates.data() + j * size; }
};

/// Queues the copy; the cloud must stay as long as what is returned.
DeviceCloud uploadCloud(GpuRun& run, const PointCloud& cloud);

/// Bounds of a non-empty cloud; waits for them.
Bounds boundsOf(GpuRun& run, const DeviceCloud& cloud);

}  // namespace clusterloom
