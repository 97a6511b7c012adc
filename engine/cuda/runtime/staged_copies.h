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

/// Bytes on the device and where they go in host memory that is not page-locked.
struct StagedDownload {
  const void* from;
  std::span<std::byte> to;
};

/// Copies arrays to the device once the run's stream gets there, and waits. Where SlabPool finds it
/// worth it, through page-locked memory piece by piece: while the bus carries some pieces, the
/// host's threads copy the next ones, which is several times as fast as the driver's own copies.
/// Throws CudaFailure, CudaStopped.
void uploadStaged(GpuRun& run, std::span<const StagedUpload> parts);

/// The same to the host.
void downloadStaged(GpuRun& run, std::span<const StagedDownload> parts);

}  // namespace clusterloom
