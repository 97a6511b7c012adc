#pragma once

#include <cstdint>

#include "engine/cuda/runtime/launch.h"

namespace clusterloom {

// The instructions by which a warp copies to shared memory while it works, and multiplies matrices
// of bytes: 16 rows of `a` by 8 columns of `b`.

namespace byteProduct {

inline constexpr int kStages = 3;  ///< slices that are in shared memory or on their way there

__device__ inline std::uint32_t sharedAddress(const void* p) {
  return std::uint32_t(__cvta_generic_to_shared(p));
}

__device__ inline void copy16([[maybe_unused]] std::uint32_t to,
                              [[maybe_unused]] const void* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
#endif
}

__device__ inline void endOfCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;");
#endif
}

__device__ inline void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
#endif
}

__device__ inline void loadMatrices(std::uint32_t (&r)[4], std::uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
}

__device__ inline void multiplyAdd([[maybe_unused]] int (&c)[4],
                                   [[maybe_unused]] const std::uint32_t (&a)[4],
                                   [[maybe_unused]] std::uint32_t b0,
                                   [[maybe_unused]] std::uint32_t b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/// The same with sums that begin with what their columns have.
__device__ inline void multiply([[maybe_unused]] int (&c)[4],
                                [[maybe_unused]] const std::uint32_t (&a)[4],
                                [[maybe_unused]] std::uint32_t b0,
                                [[maybe_unused]] std::uint32_t b1,
                                [[maybe_unused]] const int2& columns) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11,%10,%11};"
      : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(columns.x),
        "r"(columns.y));
#endif
}

/// Of the rows' first 16 bytes …
__device__ inline void multiplyHalf([[maybe_unused]] int (&c)[4],
                                    [[maybe_unused]] const std::uint32_t (&a)[4],
                                    [[maybe_unused]] std::uint32_t b,
                                    [[maybe_unused]] const int2& columns) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%7,%8,%7,%8};"
      : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b), "r"(columns.x), "r"(columns.y));
#endif
}

/// … and of their last, added.
__device__ inline void multiplyAddHalf([[maybe_unused]] int (&c)[4],
                                       [[maybe_unused]] const std::uint32_t (&a)[4],
                                       [[maybe_unused]] std::uint32_t b) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[2]), "r"(a[3]), "r"(b));
#endif
}

}  // namespace byteProduct
}  // namespace clusterloom
