#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/join/lane.h"

namespace clusterloom {

/// A lane of a GPU's warp; engine/join/lane.h says what a lane offers. Markers compile away,
/// collectives and atomics are the hardware's.
struct CudaLane {
  static constexpr std::uint32_t width = 32;
  __device__ std::uint32_t id() const { return threadIdx.x % 32; }
  __device__ void enter(Loop) const {}
  __device__ void step(Loop) const {}
  __device__ void leave(Loop) const {}
  __device__ void mark(Loop) const {}

  __device__ std::uint32_t ballot(std::uint32_t mask, bool predicate) const {
    return __ballot_sync(mask, predicate);
  }
  template <class T>
  __device__ T shuffle(std::uint32_t mask, T value, std::uint32_t from) const {
    return __shfl_sync(mask, value, static_cast<int>(from));
  }
  __device__ void sync(std::uint32_t mask) const { __syncwarp(mask); }

  __device__ std::uint32_t add(std::uint32_t* at, std::uint32_t value) const {
    return atomicAdd(at, value);
  }
  __device__ std::uint64_t add(std::uint64_t* at, std::uint64_t value) const {
    return atomicAdd(reinterpret_cast<unsigned long long*>(at), value);
  }
  template <class T>
  __device__ T least(T* at, T value) const {
    return atomicMin(at, value);
  }
  template <class T>
  __device__ T swapIf(T* at, T old, T desired) const {
    return atomicCAS(at, old, desired);
  }
  // Volatile: what other lanes change must be read where it is, not from a register or this
  // multiprocessor's cache.
  template <class T>
  __device__ T load(const T* at) const {
    return *static_cast<const volatile T*>(at);
  }
  // From this multiprocessor's cache where it is there.
  template <class T>
  __device__ T peek(const T* at) const {
    return __ldca(at);
  }
  template <class T>
  __device__ void store(T* at, T value) const {
    *static_cast<volatile T*>(at) = value;
  }
};

}  // namespace clusterloom
