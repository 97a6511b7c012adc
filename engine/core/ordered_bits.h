#pragma once

#include <bit>
#include <cstdint>

#include "engine/core/lane.h"

namespace clusterloom {

/// A double, not NaN, as an unsigned number of the same order, for radix sorts and for atomics that
/// know integers only. −0 and +0 become the same number.
CLUSTERLOOM_LANE std::uint64_t orderedBits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return (bits >> 63) != 0 ? ~bits : bits | (1ULL << 63);
}

/// The double that `orderedBits` turned into `ordered`.
CLUSTERLOOM_LANE double fromOrderedBits(std::uint64_t ordered) {
  return std::bit_cast<double>((ordered >> 63) != 0 ? ordered & ~(1ULL << 63) : ~ordered);
}

}  // namespace clusterloom
