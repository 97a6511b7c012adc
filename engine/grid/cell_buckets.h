#pragma once

#include <cstdint>

#include "engine/core/lane.h"
#include "engine/core/lower_bound.h"

namespace clusterloom {

/// First cell whose linear id is ≥ `id`, by the buckets of a program's view; `id` lies inside the
/// grid or its padding. The view has
///   cellIds      ascending linear ids of the non-empty cells
///   bucketFirst  entry b: the first cell whose id is ≥ b << bucketShift; one more than buckets
///   bucketShift  0: a bucket for every id, so that there is nothing to search
template <class View>
CLUSTERLOOM_LANE std::uint32_t firstCellFrom(const View& v, std::uint64_t id) {
  const std::uint64_t bucket = id >> v.bucketShift;
  const std::uint32_t first = v.bucketFirst[bucket];
  if (v.bucketShift == 0) return first;
  return lowerBound(v.cellIds, first, v.bucketFirst[bucket + 1], id);
}

}  // namespace clusterloom
