#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace clusterloom {

/// How many points a cluster of one result has in common with one of the next.
struct ClusterOverlap {
  std::uint64_t points = 0;
  std::int32_t before = 0;
  std::int32_t now = 0;
};

/// Palette indices of `newClusters` clusters that keep colours of the result before: pairs are
/// taken by falling number of points in common, ties by lower previous then lower new cluster, and
/// a new cluster takes the colour of the first free previous cluster it meets. The others take the
/// lowest indices that no cluster kept. A negative colour is kept by none. No two indices are
/// alike.
std::vector<std::int32_t> coloursByOverlap(std::vector<ClusterOverlap> overlaps,
                                           std::span<const std::int32_t> previousColours,
                                           std::int32_t newClusters);

}  // namespace clusterloom
