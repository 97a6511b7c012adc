#pragma once

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// The share of the pairs of a point of `asking` and one of `cloud` of which coordinates rounded to
/// bytes leave open whether they are within ε, estimated from 16,384 pairs: those whose distance is
/// nearer to ε than the rounding moves two points. It is large where points of one cluster are
/// about ε apart and the cloud is much wider than that.
double openShareOfBytes(const PointCloud& asking, const PointCloud& cloud, double eps);

}  // namespace clusterloom
