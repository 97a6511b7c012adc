#pragma once

#include <cstdint>

#include "engine/core/lane.h"

namespace clusterloom {

/// A bijection of 64 bits after which neighbouring values are far apart, in all their bits: the
/// finaliser of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom
/// number generators, 2014).
CLUSTERLOOM_LANE std::uint64_t mixedBits(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace clusterloom
