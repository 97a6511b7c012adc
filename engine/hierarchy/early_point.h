#pragma once

#include <cstdint>

namespace clusterloom {

/// A point that is core, and a cluster by itself, before it merges.
struct EarlyPoint {
  double squaredCore;
  std::uint32_t merge;  ///< the merge that joins it to others; their number where there is none
  std::uint32_t point;
};

}  // namespace clusterloom
