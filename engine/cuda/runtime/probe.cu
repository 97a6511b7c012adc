#include "engine/cuda/runtime/probe.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <limits>

#include "engine/core/memory_budget.h"

namespace clusterloom {
namespace {

__global__ void answer(int* there) { *there = 42; }

std::string reasonOf(cudaError_t error) {
  switch (error) {
    case cudaErrorInsufficientDriver:
      return "The NVIDIA driver is missing or too old for this build, which needs CUDA " +
             std::to_string(CUDART_VERSION / 1000) + ".";
    case cudaErrorNoDevice: return "There is no NVIDIA GPU that may be used here.";
    case cudaErrorStubLibrary:
      return "The NVIDIA driver is not installed (only the stub library for building is).";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "This build has no code for the GPU in this machine.";
    case cudaErrorMemoryAllocation: return "The GPU has no free memory.";
    default: return std::string("The GPU does not answer: ") + cudaGetErrorString(error) + ".";
  }
}

// Whether a kernel of this build runs on the device, the one proof that counts.
cudaError_t tryKernel(int id) {
  if (const cudaError_t error = cudaSetDevice(id); error != cudaSuccess) return error;
  int* there = nullptr;
  if (const cudaError_t error = cudaMalloc(&there, sizeof(int)); error != cudaSuccess) return error;
  int found = 0;
  answer<<<1, 1>>>(there);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(&found, there, sizeof found, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess && found != 42) error = cudaErrorUnknown;
  cudaFree(there);
  return error;
}

// The devices from `first` on that answer, at most `most` of them.
GpuProbe probeFrom(int first, std::size_t most) {
  GpuProbe probe;
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    cudaGetLastError();  // an ordinary state, not a failure to be found by the next call
    probe.reason = reasonOf(error == cudaSuccess ? cudaErrorNoDevice : error);
    return probe;
  }
  int driver = 0;
  cudaDriverGetVersion(&driver);
  int current = 0;  // of the calling thread, for other libraries too
  cudaGetDevice(&current);
  for (int id = first; id < count && probe.usable.size() < most; ++id) {
    cudaDeviceProp properties{};
    cudaError_t error = cudaGetDeviceProperties(&properties, id);
    if (error == cudaSuccess) error = tryKernel(id);
    if (error != cudaSuccess) {
      cudaGetLastError();
      probe.reason = reasonOf(error);
      continue;
    }
    probe.usable.push_back({.id = id,
                            .name = properties.name,
                            .memory = properties.totalGlobalMem,
                            .major = properties.major,
                            .minor = properties.minor,
                            .multiprocessors = properties.multiProcessorCount,
                            .driver = driver});
  }
  cudaSetDevice(current);
  if (!probe.usable.empty()) probe.reason.clear();
  return probe;
}

}  // namespace

GpuProbe probeGpus() { return probeFrom(0, std::numeric_limits<std::size_t>::max()); }

std::vector<GpuDevice> knownGpus(const GpuInfo& own) {
  static const GpuProbe probe = probeGpus();
  std::vector<GpuDevice> devices;
  for (const GpuInfo& gpu : probe.usable) devices.push_back({gpu.id, nameOf(gpu)});
  const auto place = std::ranges::lower_bound(devices, own.id, {}, &GpuDevice::number);
  if (place == devices.end() || place->number != own.id)
    devices.insert(place, {own.id, nameOf(own)});
  return devices;
}

std::string nameOf(const GpuInfo& gpu) { return gpu.name + ", " + memoryText(gpu.memory); }

Result<GpuInfo> findGpu(int device) {
  const GpuProbe first = probeFrom(std::max(0, device), 1);
  if (device < 0 || (!first.usable.empty() && first.usable.front().id == device))
    return chooseGpu(first, device);
  return chooseGpu(probeGpus(), device);
}

}  // namespace clusterloom
