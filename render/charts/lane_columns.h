#pragma once

#include <cstddef>
#include <vector>

#include "engine/load/warp_trace.h"

namespace clusterloom {

/// What one lane does in some consecutive steps of its warp, drawn as one column.
struct LaneSpan {
  Loop loop = Loop::Cell;  ///< that most of its active steps are of
  float active = 0;        ///< share of the steps in which it takes part
};

/// Steps [low, high) of the trace's window (fractions cut off) in at most `columns` columns of
/// nearly equal size, a column per step where there is space: lane l of column c is at
/// c * WarpTrace::kLanes + l. `firsts` gets the first step of each column, and the end.
std::vector<LaneSpan> laneColumns(const WarpTrace& trace, double low, double high,
                                  std::size_t columns, std::vector<std::size_t>& firsts);

}  // namespace clusterloom
