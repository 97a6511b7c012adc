#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>

#include "engine/core/memory_budget.h"

namespace clusterloom {

/// Whether the address space of this process (ulimit -v) suffices to draw `points` points: OpenGL
/// libraries end the process where it does not. TooLarge. Inline, for programs that have yet to
/// load what draws.
inline Result<void> checkPictureMemory(std::size_t points) {
  // Measured with Mesa's software renderer and VTK 9.1: 1 GB of address space in all for a small
  // cloud and two rendering threads, of which each has a stack and a heap of its own.
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  const std::uint64_t threads = std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
  const std::uint64_t needed = 640 * kMiB + threads * 72 * kMiB + 200 * std::uint64_t{points};
  const std::uint64_t free = freeAddressSpace();
  if (needed <= free) return {};
  return tooLarge("The picture needs " + memoryText(needed) + " of address space; " +
                  memoryText(free) +
                  " are left of the memory that this process may use. Raise the limit (ulimit -v), "
                  "or leave the picture out.");
}

}  // namespace clusterloom
