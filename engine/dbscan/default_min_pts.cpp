#include "engine/dbscan/default_min_pts.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {

std::int64_t defaultMinPts(std::size_t points, std::size_t dims) {
  constexpr std::int64_t kLeast = 4;
  constexpr std::size_t kMostOfDims = 20;
  if (points == 0) return 1;
  const auto ofDims = std::int64_t(std::min(2 * dims, kMostOfDims));
  const auto ofPoints = std::int64_t(std::ceil(std::log(points)));
  return std::min(std::max({kLeast, ofDims, ofPoints}), std::int64_t(points));
}

}  // namespace clusterloom
