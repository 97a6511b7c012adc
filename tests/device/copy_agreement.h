#pragma once

#include <cstddef>
#include <memory>
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

/// A device that locks memory for its next copy of 1 MiB or more.
inline std::unique_ptr<Device> aboutToLock(int number) {
  auto device = std::make_unique<Device>(number);
  device->slabs().takeIfWorth(4 * SlabPool::kSlabBytes - 1);
  return device;
}

/// Sends these bytes on a run of its own.
inline bool comesBack(const Device& device, const std::vector<std::byte>& sent, std::size_t parts,
                      std::size_t gap) {
  const Task task;
  GpuRun run(device, task);
  const DeviceBuffer<std::byte> there(run.lease(), sent.size() + parts);
  return comesBack(run, there, sent, parts, gap);
}

/// The smallest size first by the driver, all others through a slab. Empty, else the first
/// difference.
inline std::string ofSizes(int number) {
  std::mt19937_64 random(1);
  std::unique_ptr<Device> device;
  for (const std::size_t size :
       {std::size_t{1} << 20, std::size_t{0}, std::size_t{1}, std::size_t{1} << 20,
        (std::size_t{4} << 20) + 3, (std::size_t{32} << 20) - 1, (std::size_t{150} << 20) + 7}) {
    std::vector<std::byte> sent(size);
    for (std::size_t i = 0; i < size; i += 61) sent[i] = std::byte(random());
    const bool first = !device;
    if (first) device = std::make_unique<Device>(number);
    for (const std::size_t parts : {1, 3, 40})
      if (!comesBack(*device, sent, parts, parts == 3 ? 0 : 1))
        return std::to_string(size) + " bytes in " + std::to_string(parts) + " parts";
    if (first) device = aboutToLock(number);
  }
  return {};
}

/// Lets each call of some copies fail once, by the driver and through a slab. Empty, else what was
/// not as it should be.
inline std::string afterFailures(int number, int& faults) {
  const std::vector<std::byte> sent((std::size_t{9} << 20) + 1, std::byte{7});
  for (const bool locks : {false, true})
    for (int nth = 1;; ++nth) {
      const auto device = locks ? aboutToLock(number) : std::make_unique<Device>(number);
      bool failed = false;
      {
        const Task task;
        GpuRun run(*device, task);
        const DeviceBuffer<std::byte> there(run.lease(), sent.size() + 3);
        run.wait();
        failCudaCall(nth, cudaErrorUnknown);
        try {
          if (!comesBack(run, there, sent, 3, 1)) return "other bytes came back";
        } catch (const CudaFailure&) {
          failed = true;
        }
      }
      if (failCudaCall(0, cudaSuccess) > 0) break;  // there are not as many calls
      if (!failed) return "call " + std::to_string(nth) + " failed, and nothing was said";
      ++faults;
      if (!comesBack(*device, sent, 3, 1)) return "other bytes came back after a failure";
    }
  // Where no memory can be locked, the driver copies.
  const auto device = aboutToLock(number);
  const Task task;
  GpuRun run(*device, task);
  const DeviceBuffer<std::byte> there(run.lease(), sent.size() + 3);
  run.wait();
  failCudaCall(1, cudaErrorMemoryAllocation);
  ++faults;
  if (!comesBack(run, there, sent, 3, 1)) return "other bytes came back without a slab";
  return failCudaCall(0, cudaSuccess) == 0 ? "" : "no memory was locked";
}

}  // namespace copyAgreement
