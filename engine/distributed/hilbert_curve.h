#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace clusterloom {

/// The place of a cell on the Hilbert curve through a grid of 2^bits cells a dimension, in 1 to 3
/// dimensions with at most 21 bits each: consecutive places are adjacent cells. After J. Skilling,
/// Programming the Hilbert curve, 2004.
inline std::uint64_t hilbertPlace(std::span<const std::uint32_t> coordinates, int bits) {
  std::array<std::uint32_t, 3> x{};
  const std::size_t n = coordinates.size();
  for (std::size_t i = 0; i < n; ++i) x[i] = coordinates[i];
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1) {
    const std::uint32_t lower = q - 1;
    for (std::size_t i = 0; i < n; ++i) {
      if ((x[i] & q) != 0) {
        x[0] ^= lower;
      } else {
        const std::uint32_t swapped = (x[0] ^ x[i]) & lower;
        x[0] ^= swapped;
        x[i] ^= swapped;
      }
    }
  }
  for (std::size_t i = 1; i < n; ++i) x[i] ^= x[i - 1];
  std::uint32_t flip = 0;
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1)
    if ((x[n - 1] & q) != 0) flip ^= q - 1;
  std::uint64_t place = 0;
  for (int bit = bits - 1; bit >= 0; --bit)
    for (std::size_t i = 0; i < n; ++i) place = place << 1 | (((x[i] ^ flip) >> bit) & 1U);
  return place;
}

}  // namespace clusterloom
