#pragma once

#include <cstdint>

#include "engine/hierarchy/early_point.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/position_order.h"
#include "engine/hierarchy/range_maximum.h"

namespace clusterloom {

struct Hierarchy::Data {
  std::int64_t minPts = 1;
  LargeArray<double> squaredCore;  ///< by point
  Dendrogram dendrogram;
  LargeArray<std::uint32_t> lowestPoints;  ///< by merge
  PositionOrder order;
  RangeMaximum<std::uint32_t> splits;  ///< over order.splits
  LargeArray<EarlyPoint> early;        ///< by position
  BorderLists borders;
  LargeArray<double> firstReach;  ///< by point: of its border list; +∞ where that is empty
  HierarchySeconds seconds;
};

}  // namespace clusterloom
