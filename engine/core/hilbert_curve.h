#pragma once

#include <cstdint>

#include "engine/core/lane.h"

namespace clusterloom {

/// The place of a cell on the Hilbert curve through a grid of 2^bits cells in each of n dimensions,
/// n · bits ≤ 64: consecutive places are adjacent cells. `x` holds the cell's coordinates and is
/// overwritten. After J. Skilling, Programming the Hilbert curve, 2004.
CLUSTERLOOM_LANE std::uint64_t hilbertPlace(std::uint32_t* x, int n, int bits) {
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1) {
    const std::uint32_t lower = q - 1;
    CLUSTERLOOM_UNROLL
    for (int i = 0; i < n; ++i) {
      if ((x[i] & q) != 0) {
        x[0] ^= lower;
      } else {
        const std::uint32_t swapped = (x[0] ^ x[i]) & lower;
        x[0] ^= swapped;
        x[i] ^= swapped;
      }
    }
  }
  CLUSTERLOOM_UNROLL
  for (int i = 1; i < n; ++i) x[i] ^= x[i - 1];
  std::uint32_t flip = 0;
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1)
    if ((x[n - 1] & q) != 0) flip ^= q - 1;
  std::uint64_t place = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    CLUSTERLOOM_UNROLL
    for (int i = 0; i < n; ++i) place = place << 1 | (((x[i] ^ flip) >> bit) & 1U);
  }
  return place;
}

}  // namespace clusterloom
