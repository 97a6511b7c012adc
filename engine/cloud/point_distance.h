#pragma once

#include <cstddef>

#include "engine/cloud/point_cloud.h"
#include "engine/core/predicate.h"

namespace clusterloom {

/// The canonical squared distance (engine/core/predicate.h) of point p of cloud a and point q of
/// cloud b, which have the same dimensions.
inline double canonicalSquaredDistance(const PointCloud& a, std::size_t p, const PointCloud& b,
                                       std::size_t q) {
  return canonicalSquaredDistance(
      a.dims(), [&](std::size_t j) { return a.columns[j][p]; },
      [&](std::size_t j) { return b.columns[j][q]; });
}

/// The same of points p and q of one cloud.
inline double canonicalSquaredDistance(const PointCloud& cloud, std::size_t p, std::size_t q) {
  return canonicalSquaredDistance(cloud, p, cloud, q);
}

}  // namespace clusterloom
