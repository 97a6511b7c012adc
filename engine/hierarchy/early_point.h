#pragma once

#include <cstdint>

namespace clusterloom {

/// A point that is core, and a cluster by itself, before it merges.
struct EarlyPoint {
  double squaredCore;
  std::uint32_t merge;  ///< that joins it to others; the number of merges where there is none
  std::uint32_t point;
};

}  // namespace clusterloom
