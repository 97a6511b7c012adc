#pragma once

#include <array>

#include "engine/core/lane.h"

namespace clusterloom {

/// One number for each loop of the lane program, by Loop.
template <class T>
using PerLoop = std::array<T, kLoops>;

/// The cost of one iteration of each loop, in one unit. Fitted to a kernel on measured figures, or
/// unit weights, which are not comparable with a published WEE.
struct LoopWeights {
  PerLoop<double> of = {1, 1, 1, 1};
  friend bool operator==(const LoopWeights&, const LoopWeights&) = default;
};

}  // namespace clusterloom
