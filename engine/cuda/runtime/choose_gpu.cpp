#include <algorithm>

#include "engine/cuda/runtime/probe.h"

namespace clusterloom {

Result<GpuInfo> chooseGpu(const GpuProbe& probe, int device) {
  if (probe.usable.empty()) return unavailable(probe.reason);
  const auto chosen =
      std::find_if(probe.usable.begin(), probe.usable.end(),
                   [&](const GpuInfo& gpu) { return device < 0 || gpu.id == device; });
  if (chosen != probe.usable.end()) return *chosen;
  std::string numbers;
  for (const GpuInfo& gpu : probe.usable)
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(gpu.id);
  return unavailable("GPU " + std::to_string(device) + " does not answer; choose one of " +
                     numbers + ".");
}

}  // namespace clusterloom
