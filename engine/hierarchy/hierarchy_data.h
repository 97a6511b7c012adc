#pragma once

#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/position_order.h"

namespace clusterloom {

struct Hierarchy::Data {
  std::int64_t minPts = 1;
  LargeArray<double> squaredCore;  ///< by point
  Dendrogram dendrogram;
  LargeArray<std::uint32_t> lowestPoints;  ///< by merge
  PositionOrder order;
  RangeMaximum splits;  ///< over order.splits
  BorderLists borders;
  HierarchySeconds seconds;
};

}  // namespace clusterloom
