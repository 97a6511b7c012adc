#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/failure.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {

/// A lane whose minimum also takes 64-bit words.
struct MachineLane : CudaLane {
  using CudaLane::least;
  __device__ std::uint64_t least(std::uint64_t* at, std::uint64_t value) const {
    return atomicMin(reinterpret_cast<unsigned long long*>(at), value);
  }
};

template <class Program>
__global__ void __launch_bounds__(kBlockSize)
    eachItem(const __grid_constant__ Program program, std::uint32_t n) {
  MachineLane lane;
  const std::size_t i = threadNumber();
  if (i < n) program(lane, std::uint32_t(i));
}

inline constexpr unsigned kWarpsOfBlock = 4;

template <class Program>
__global__ void __launch_bounds__(32 * kWarpsOfBlock)
    eachWarp(const __grid_constant__ Program program, std::uint32_t n, const std::uint32_t* stop) {
  MachineLane lane;
  lane.stop = stop;
  const std::size_t i = threadNumber() / 32;
  if (i < n && !lane.stopping()) program(lane, std::uint32_t(i));
}

/// Events between the stages of a run; `names[i]` ends at `events[i + 1]`.
struct StageEvents {
  std::vector<std::string> names;
  std::vector<Event> events;

  /// Milliseconds of each stage; all of it must be past.
  std::vector<std::pair<std::string, double>> milliseconds() const {
    std::vector<std::pair<std::string, double>> result;
    for (std::size_t i = 0; i < names.size(); ++i)
      result.emplace_back(names[i], millisecondsBetween(events[i], events[i + 1]));
    return result;
  }
};

/// The machine of engine/hierarchy/lanes/machine.h on a GPU.
class CudaMachine {
 public:
  template <class T>
  using Array = DeviceBuffer<T>;

  CudaMachine(GpuRun& run, StageEvents& stages) : run_(run), stages_(stages) {
    stages_.events.emplace_back().record(run.stream());
  }

  cudaStream_t stream() const { return run_.stream(); }
  template <class T>
  DeviceBuffer<T> make(std::size_t n) {
    return {run_.lease(), n};
  }
  template <class T>
  void fill(DeviceBuffer<T>& array, int byte) {
    array.fillBytes(byte);
  }
  template <class T>
  void copy(DeviceBuffer<T>& to, const DeviceBuffer<T>& from) {
    copyFirst(to, from, from.size());
  }
  template <class T>
  void copyFirst(DeviceBuffer<T>& to, const DeviceBuffer<T>& from, std::size_t n) {
    CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), n * sizeof(T), cudaMemcpyDeviceToDevice,
                               run_.stream()));
  }
  template <class Program>
  void each(std::size_t n, const Program& program) {
    if (n == 0) return;
    eachItem<<<blocksFor(n), kBlockSize, 0, run_.stream()>>>(program, std::uint32_t(n));
    CUDA_CHECK_LAUNCH();
  }
  template <class Program>
  void warps(std::size_t n, const Program& program) {
    if (n == 0) return;
    eachWarp<<<blocksFor(n, kWarpsOfBlock), 32 * kWarpsOfBlock, 0, run_.stream()>>>(
        program, std::uint32_t(n), run_.stop());
    CUDA_CHECK_LAUNCH();
  }
  template <class Key>
  void sortByKey(DeviceBuffer<Key>& keys, DeviceBuffer<std::uint32_t>& values, int bits) {
    clusterloom::sortByKey(run_.lease(), keys, values, bits);
  }
  void exclusiveScan(const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
    clusterloom::exclusiveScan(run_.lease(), in, out, n);
  }
  void sum(const std::uint32_t* in, std::uint64_t* out, std::size_t n) {
    clusterloom::sum(run_.lease(), in, out, n);
  }
  template <class T>
  void runningMaximum(const T* in, T* out, std::size_t n) {
    clusterloom::runningMaximum(run_.lease(), in, out, n);
  }
  void selectFlagged(const DeviceBuffer<std::uint8_t>& flags, DeviceBuffer<std::uint32_t>& out,
                     DeviceBuffer<std::uint32_t>& count) {
    clusterloom::selectFlagged(run_.lease(), flags.data(), out.data(), count.data(), flags.size());
  }
  template <class T>
  T read(const DeviceBuffer<T>& array) {
    return run_.read(array);
  }
  template <class T>
  std::vector<T> readAll(const DeviceBuffer<T>& array) {
    const auto here = run_.mailbox<T>(array.size());
    array.download(here);
    run_.wait();
    return {here.begin(), here.end()};
  }
  void stage(const char* name) {
    stages_.names.emplace_back(name);
    stages_.events.emplace_back().record(run_.stream());
  }

 private:
  GpuRun& run_;
  StageEvents& stages_;
};

}  // namespace clusterloom
