#pragma once

#include <cstddef>

#include "engine/cloud/point_cloud.h"
#include "engine/core/predicate.h"

namespace clusterloom {

/// The canonical squared distance (engine/core/predicate.h) of points p and q of a cloud.
inline double canonicalSquaredDistance(const PointCloud& cloud, std::size_t p, std::size_t q) {
  return canonicalSquaredDistance(
      cloud.dims(), [&](std::size_t j) { return cloud.columns[j][p]; },
      [&](std::size_t j) { return cloud.columns[j][q]; });
}

}  // namespace clusterloom
