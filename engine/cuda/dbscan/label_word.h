#pragma once

#include <cstdint>

#include "engine/core/lane.h"
#include "engine/dbscan/clustering.h"

// A point's label and role in one word. Kernels find results in the order of cells, and write them
// in the order of points: that touches one place in memory for each point, where separate arrays
// would touch two and take twice as long.

namespace clusterloom {

/// The label of a core point is its word. Words of other points are negative.
CLUSTERLOOM_LANE std::int32_t wordOfOther(std::int32_t label) {
  return label >= 0 ? -2 - label : -1;
}
CLUSTERLOOM_LANE std::int32_t labelOfWord(std::int32_t word) {
  return word >= -1 ? word : -2 - word;
}
CLUSTERLOOM_LANE PointRole roleOfWord(std::int32_t word) {
  if (word >= 0) return PointRole::Core;
  return word == -1 ? PointRole::Noise : PointRole::Border;
}

}  // namespace clusterloom
