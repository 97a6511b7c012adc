#pragma once

#include "engine/core/lane.h"

namespace clusterloom {

/// The binary search: the first i in [low, high) for which before(i) is false, `high` where there
/// is none. before() must not be true after an i for which it is false.
template <class Index, class Before>
CLUSTERLOOM_LANE Index firstNotBefore(Index low, Index high, Before&& before) {
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (before(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The first of the ascending values[low … high − 1] that is ≥ `value`; `high` where there is none.
template <class Index, class Value>
CLUSTERLOOM_LANE Index lowerBound(const Value* values, Index low, Index high, Value value) {
  return firstNotBefore(low, high, [&](Index i) { return values[i] < value; });
}

}  // namespace clusterloom
