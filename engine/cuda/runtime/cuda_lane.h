#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/core/lane.h"
#include "engine/join/tile_program.h"

namespace clusterloom {

/// A lane of a GPU's warp; engine/core/lane.h describes the interface. Markers compile away,
/// collectives and atomics are those of the hardware.
struct CudaLane {
  static constexpr std::uint32_t width = 32;
  const std::uint32_t* stop = nullptr;  ///< the run's stop word, if long loops are to check it
  __device__ std::uint32_t id() const { return threadIdx.x % 32; }
  __device__ void enter(Loop) const {}
  __device__ void step(Loop) const {}
  __device__ void look(std::uint64_t) const {}
  __device__ void leave(Loop) const {}
  __device__ void branch(int) const {}
  __device__ void mark(Loop) const {}
  __device__ bool stopping() const { return stop != nullptr && load(stop) != 0; }

  __device__ std::uint32_t ballot(std::uint32_t mask, bool predicate) const {
    return __ballot_sync(mask, predicate);
  }
  template <class T>
  __device__ T shuffle(std::uint32_t mask, T value, std::uint32_t from) const {
    return __shfl_sync(mask, value, int(from));
  }
  template <class T>
  __device__ T exchange(std::uint32_t mask, T value, std::uint32_t apart) const {
    return __shfl_xor_sync(mask, value, int(apart));
  }
  __device__ void sync(std::uint32_t mask) const { __syncwarp(mask); }
  __device__ void fence() const { __threadfence(); }

  __device__ std::uint32_t thread() const { return threadIdx.x; }
  __device__ std::uint32_t threads() const { return blockDim.x; }
  __device__ std::uint32_t block() const { return blockIdx.x; }
  __device__ std::uint32_t blocks() const { return gridDim.x; }
  __device__ void blockSync() const { __syncthreads(); }
  __device__ bool blockAny(bool predicate) const { return __syncthreads_or(predicate) != 0; }
  template <class T>
  __device__ T* shared() const {
    extern __shared__ double sharedOfBlock[];
    static_assert(alignof(T) <= alignof(double));
    return reinterpret_cast<T*>(sharedOfBlock);
  }

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
  /// d = a·b + c by the warp's matrix units; tile::multiplyByShuffles says how it is spread.
  __device__ void multiply(double (&d)[4], const double (&a)[2], double b,
                           const double (&c)[4]) const {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(b), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
#else
    tile::multiplyByShuffles(*this, d, a, b, c);
#endif
  }

  // Volatile: values that other lanes change must be read from memory, not from a register or this
  // multiprocessor's cache.
  template <class T>
  __device__ T load(const T* at) const {
    return *static_cast<const volatile T*>(at);
  }
  // May read from this multiprocessor's cache.
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
