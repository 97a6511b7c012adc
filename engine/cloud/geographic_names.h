#pragma once

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// Whether the two coordinates of a cloud are named as longitude and latitude, and in which order.
enum class GeographicNames { None, LongitudeFirst, LatitudeFirst };

/// By the beginnings of the names: "lon" or "lng" and "lat", in any case.
GeographicNames geographicNames(const PointCloud& cloud);

}  // namespace clusterloom
