#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <utility>

#include "engine/cuda/runtime/failure.h"

namespace clusterloom {

/// A CUDA stream, or an event; destroyed with the object.
class Stream {
 public:
  Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { CUDA_CHECK(cudaEventCreate(&event_)); }
  ~Event() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) { CUDA_CHECK(cudaEventRecord(event_, stream)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Milliseconds between two recorded events, both past.
inline double millisecondsBetween(const Event& from, const Event& to) {
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, from, to));
  return milliseconds;
}

/// The stream for work and the pool for device memory. A plain value.
struct Lease {
  cudaStream_t stream = nullptr;
  cudaMemPool_t pool = nullptr;
};

/// n values in device memory, uninitialised. With a lease they are taken from its pool and given
/// back in the order of its stream, so neither waits for the device. Without one they outlive runs:
/// freed at once, which waits for the device.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(const Lease& lease, std::size_t size) : lease_(lease), size_(size) {
    if (size > 0)
      CUDA_CHECK(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&data_), size * sizeof(T),
                                         lease.pool, lease.stream));
  }
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    if (size > 0) CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  ~DeviceBuffer() {
    if (data_ == nullptr) return;
    if (lease_.pool != nullptr)
      cudaFreeAsync(data_, lease_.stream);
    else
      cudaFree(data_);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : lease_(other.lease_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(lease_, other.lease_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// Sets every byte, in the order of the stream.
  void fillBytes(int byte) {
    if (size_ > 0) CUDA_CHECK(cudaMemsetAsync(data_, byte, bytes(), lease_.stream));
  }
  /// Copies from host memory, which must stay until the stream has passed this point.
  void upload(std::span<const T> values, std::size_t at = 0) {
    if (!values.empty())
      CUDA_CHECK(cudaMemcpyAsync(data_ + at, values.data(), values.size_bytes(),
                                 cudaMemcpyHostToDevice, lease_.stream));
  }
  /// Copies to host memory; complete when the stream has passed this point.
  void download(std::span<T> values, std::size_t at = 0) const {
    if (!values.empty())
      CUDA_CHECK(cudaMemcpyAsync(values.data(), data_ + at, values.size_bytes(),
                                 cudaMemcpyDeviceToHost, lease_.stream));
  }

 private:
  Lease lease_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// n values of page-locked host memory, which the device copies to and from at full speed.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t size) : size_(size) {
    if (size > 0) CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  ~PinnedBuffer() {
    if (data_ != nullptr) cudaFreeHost(data_);
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace clusterloom
