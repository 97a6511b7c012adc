#pragma once

#include <algorithm>
#include <cstddef>

namespace clusterloom {

/// Threads of a block unless measurements favour another number.
inline constexpr unsigned kBlockSize = 256;

/// Blocks for a kernel with one thread per item, at least one.
inline unsigned blocksFor(std::size_t items, unsigned blockSize = kBlockSize) {
  return unsigned(std::max<std::size_t>(1, (items + blockSize - 1) / blockSize));
}

#ifdef __CUDACC__
/// The number of this thread in the grid.
__device__ inline std::size_t threadNumber() {
  return std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// Sets `largest` to the larger of it and `value`. Neither is negative, so their bits have the same
/// order as their values.
__device__ inline void atomicMaximum(double* largest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}
#endif

}  // namespace clusterloom
