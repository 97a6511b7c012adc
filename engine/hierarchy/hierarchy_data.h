#pragma once

#include <cstdint>
#include <vector>

#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/position_order.h"
#include "engine/hierarchy/range_maximum.h"

namespace clusterloom {

/// A point that is core, and a cluster of its own, before it merges.
struct EarlyPoint {
  double squaredCore;
  std::uint32_t merge;  ///< that joins it to others; the number of merges where there is none
  std::uint32_t point;
};

struct Hierarchy::Data {
  std::int64_t minPts = 1;
  LargeArray<double> squaredCore;  ///< by point
  Dendrogram dendrogram;
  LargeArray<std::uint32_t> lowestPoints;  ///< by merge
  PositionOrder order;
  RangeMaximum<std::uint32_t> splits;  ///< over order.splits
  std::vector<EarlyPoint> early;
  BorderLists borders;
  LargeArray<double> firstReach;  ///< by point: of its border list; +∞ where that is empty
  HierarchySeconds seconds;
};

}  // namespace clusterloom
