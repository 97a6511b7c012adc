#pragma once

#include <cstddef>
#include <span>

#include "engine/cuda/runtime/device.h"

namespace clusterloom {

/// Bytes in host memory that is not page-locked and where they go on the device.
struct StagedUpload {
  std::span<const std::byte> from;
  void* to;
};

/// Copies arrays to the device through page-locked memory piece by piece: while the bus carries
/// some pieces, the host's threads copy the next ones. Waits for the run's stream. Throws
/// CudaFailure, CudaStopped.
void uploadStaged(GpuRun& run, std::span<const StagedUpload> parts);

}  // namespace clusterloom
