#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/gpu_device.h"
#include "engine/core/result.h"

namespace clusterloom {

/// A GPU that answered.
struct GpuInfo {
  int id = 0;
  std::string name;          ///< "NVIDIA H200"
  std::uint64_t memory = 0;  ///< bytes on the device
  int major = 0;             ///< compute capability
  int minor = 0;
  int multiprocessors = 0;
  int driver = 0;  ///< CUDA version the driver offers, 13020 for 13.2
};

/// The result of a search for GPUs. Exactly one of the two is empty.
struct GpuProbe {
  std::vector<GpuInfo> usable;  ///< devices this build has code for and that answered
  std::string reason;           ///< why there is none, for display
};

/// Looks for GPUs: no driver, an old driver, no device, a device this build has no code for and one
/// that does not answer each give a reason. Never throws, never crashes; takes up to a second the
/// first time, while the driver starts, and a quarter of a second for each device. Later calls ask
/// again.
GpuProbe probeGpus();

/// chooseGpu of all GPUs; where the wanted one answers, no other is started.
Result<GpuInfo> findGpu(int device);

/// All that answer, for display, found once in this process, and `own`, which has answered.
std::vector<GpuDevice> knownGpus(const GpuInfo& own);

/// Its name and memory, for display.
std::string nameOf(const GpuInfo& gpu);

/// The GPU of that number, or the first that answered for −1. Unavailable, with the reason or the
/// numbers to choose from.
Result<GpuInfo> chooseGpu(const GpuProbe& probe, int device);

}  // namespace clusterloom
