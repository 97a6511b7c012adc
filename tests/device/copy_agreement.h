#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/staged_copies.h"

/// Copies between host and device through page-locked memory, and without: what comes back is what
/// was sent, also after any of their calls failed.
namespace copyAgreement {

using namespace clusterloom;

/// Sends some bytes in parts to places with gaps between them and takes them back in other parts;
/// the device is to have a byte more for each part.
inline bool comesBack(GpuRun& run, const DeviceBuffer<std::byte>& there,
                      const std::vector<std::byte>& sent, std::size_t parts, std::size_t gap) {
  std::vector<std::byte> back(sent.size());
  std::vector<StagedUpload> uploads;
  std::vector<StagedDownload> downloads;
  auto* const device = const_cast<std::byte*>(there.data());
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t begin = sent.size() * i / parts;
    const std::size_t end = sent.size() * (i + 1) / parts;
    std::byte* const place = device + begin + gap * i;
    uploads.push_back({std::span(sent).subspan(begin, end - begin), place});
    const std::size_t middle = (end - begin) / 3;
    downloads.push_back({place, std::span(back).subspan(begin, middle)});
    downloads.push_back(
        {place + middle, std::span(back).subspan(begin + middle, end - begin - middle)});
  }
  uploadStaged(run, uploads);
  downloadStaged(run, downloads);
  return back == sent;
}

/// Empty, else the first difference.
inline std::string ofSizes(const Device& device) {
  const Task task;
  std::mt19937_64 random(1);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, (std::size_t{4} << 20) + 3,
        (std::size_t{32} << 20) - 1, (std::size_t{150} << 20) + 7, (std::size_t{150} << 20) + 8}) {
    std::vector<std::byte> sent(size);
    for (std::size_t i = 0; i < size; i += 61) sent[i] = std::byte(random());
    GpuRun run(device, task);
    for (const std::size_t parts : {1, 3, 40}) {
      const std::size_t gap = parts == 3 ? 0 : 1;
      const DeviceBuffer<std::byte> there(run.lease(), size + parts);
      if (!comesBack(run, there, sent, parts, gap))
        return std::to_string(size) + " bytes in " + std::to_string(parts) + " parts";
    }
  }
  return {};
}

/// Lets each call of some copies fail once. Empty, else what was not as it should be.
inline std::string afterFailures(const Device& device, int& faults) {
  const Task task;
  const std::vector<std::byte> sent(std::size_t{70} << 20, std::byte{7});
  for (int nth = 1;; ++nth) {
    bool failed = false;
    {
      GpuRun run(device, task);
      const DeviceBuffer<std::byte> there(run.lease(), sent.size() + 3);
      run.wait();
      failCudaCall(nth, cudaErrorUnknown);
      try {
        if (!comesBack(run, there, sent, 3, 1)) return "other bytes came back";
      } catch (const CudaFailure&) {
        failed = true;
      }
      if (failCudaCall(0, cudaSuccess) > 0) return {};  // there are not as many calls
      if (!failed) return "call " + std::to_string(nth) + " failed, and nothing was said";
      ++faults;
    }
    GpuRun next(device, task);
    const DeviceBuffer<std::byte> there(next.lease(), sent.size() + 3);
    if (!comesBack(next, there, sent, 3, 1)) return "other bytes came back after a failure";
  }
}

}  // namespace copyAgreement
