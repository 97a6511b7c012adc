#pragma once

#include <cstddef>
#include <span>

#include "engine/cuda/runtime/device.h"

namespace clusterloom {

/// Bytes on the device and where they go in host memory that is not page-locked.
struct StagedPart {
  const void* from;
  std::span<std::byte> to;
};

/// Copies arrays to the host once the run's stream gets there, through page-locked memory piece by
/// piece: while the bus brings the next pieces, the host's threads copy the last one on. Waits.
/// Throws CudaFailure, CudaStopped.
void downloadStaged(GpuRun& run, std::span<const StagedPart> parts);

}  // namespace clusterloom
