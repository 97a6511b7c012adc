#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "engine/core/task.h"
#include "engine/cuda/runtime/memory.h"
#include "engine/cuda/runtime/slab_pool.h"

namespace clusterloom {

/// Makes a device current for a while.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    CUDA_CHECK(cudaGetDevice(&before_));
    CUDA_CHECK(cudaSetDevice(device));
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// The resources that every run on a device needs. Kept for the next run: making them takes longer
/// than many kernels.
struct RunParts {
  static constexpr std::size_t kMailboxBytes = 8192;

  RunParts();

  Stream stream;
  Stream signals;  ///< beside the kernels, so that the stop word gets there while they run
  PinnedBuffer<std::uint64_t> mailbox;  ///< its last word is copied to stop kernels
  Event reached;
};

/// One GPU with a pool that keeps some freed memory for the next run. May be used from several
/// threads at once, each with its own GpuRun.
class Device {
 public:
  /// Throws CudaFailure when the device does not answer.
  explicit Device(int id);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  int id() const { return id_; }
  cudaMemPool_t pool() const { return pool_; }
  int multiprocessors() const { return multiprocessors_; }
  /// Threads that it holds at once.
  std::size_t residentThreads() const { return residentThreads_; }
  /// Page-locked memory for transfers.
  SlabPool& slabs() const { return slabs_; }
  std::unique_ptr<RunParts> takeParts() const;
  /// Returns the parts of a run that succeeded.
  void giveBack(std::unique_ptr<RunParts> parts) const;
  /// Bytes that a run could take now, those the pool keeps included.
  std::uint64_t freeMemory() const;
  /// While a copy of what it returns lives, the pool keeps all memory that is freed.
  std::shared_ptr<const void> keepFreedMemory() const;

 private:
  int id_;
  int multiprocessors_ = 0;
  std::size_t residentThreads_ = 0;
  cudaMemPool_t pool_ = nullptr;
  mutable SlabPool slabs_;  // guards itself
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<RunParts>> idleParts_;
  mutable std::weak_ptr<const void> keptMemory_;
};

/// Lets blocks of the kernel take all the shared memory that a block may have; returns how much of
/// it is left beside the kernel's static arrays. The limit belongs to the kernel, so that one for a
/// single launch would fail a launch of another thread.
std::size_t allowSharedMemory(const Device& device, const void* kernel);

/// One run on a device: a stream, and a word in device memory that makes kernels stop. Kernels that
/// may run long read it between pieces of work (`if (*stop) return;`), so that a cancelled run
/// returns in time; the results of such a kernel are discarded.
class GpuRun {
 public:
  /// Whether what a run uploads of a prepared cloud may stay for the next one.
  enum class Copies { Kept, OfTheRun };
  GpuRun(const Device& device, const Task& task, Copies copies = Copies::Kept);
  ~GpuRun();
  GpuRun(const GpuRun&) = delete;
  GpuRun& operator=(const GpuRun&) = delete;

  const Device& device() const { return device_; }
  const Task& task() const { return task_; }
  Copies copies() const { return copies_; }
  /// Keeps data that kernels of this run read until the end of the run.
  void hold(std::shared_ptr<const void> shared) { held_.push_back(std::move(shared)); }
  Lease lease() const { return {parts_->stream, device_.pool()}; }
  /// Memory of the same pool on the caller's stream.
  Lease leaseOn(cudaStream_t stream) const { return {stream, device_.pool()}; }
  cudaStream_t stream() const { return parts_->stream; }
  const std::uint32_t* stop() const { return stop_.data(); }
  /// Reserves `bytes` free bytes in one piece in the device's pool for later allocations.
  /// Mapping memory piece by piece takes longer, and where free pieces are too small for a request,
  /// the driver maps memory again in every run. Does nothing where memory is too short.
  void reserve(std::uint64_t bytes) const;
  /// A little page-locked memory for small answers of the device, ≤ kMailboxBytes. The next use
  /// overwrites it.
  static constexpr std::size_t kMailboxBytes = RunParts::kMailboxBytes;
  template <class T>
  std::span<T> mailbox(std::size_t count) {
    return {reinterpret_cast<T*>(parts_->mailbox.data()), count};
  }

  /// Waits for everything queued on the run's stream so far. When the task is stopped meanwhile,
  /// stops the kernels, waits for them and throws CudaStopped.
  void wait();
  /// How a thread waits: `Spin` polls without a pause for the first 2 ms; `Sleep` always pauses,
  /// for threads that run beside others that compute.
  enum class Waiting { Spin, Sleep };
  /// The same for an event recorded on any stream.
  void wait(cudaEvent_t event, Waiting waiting = Waiting::Spin);

  /// A value of an array on the host; waits for it.
  template <class T>
  T read(const DeviceBuffer<T>& array, std::size_t at = 0) {
    const auto here = mailbox<T>(1);
    CUDA_CHECK(cudaMemcpyAsync(here.data(), array.data() + at, sizeof(T), cudaMemcpyDeviceToHost,
                               stream()));
    wait();
    return here[0];
  }
  /// Values of an array in plain memory. Waits for them, and first for what comes before: a copy to
  /// plain memory would not react to a stop.
  template <class T>
  void read(const DeviceBuffer<T>& array, std::span<T> here) {
    wait();
    array.download(here);
    wait();
  }
  template <class T>
  std::vector<T> readAll(const DeviceBuffer<T>& array) {
    std::vector<T> here(array.size());
    read(array, std::span(here));
    return here;
  }

 private:
  void stopKernels();

  const Device& device_;
  const Task& task_;
  const Copies copies_;
  std::vector<std::shared_ptr<const void>> held_;
  std::unique_ptr<RunParts> parts_;
  DeviceBuffer<std::uint32_t> stop_;
};

}  // namespace clusterloom
