#pragma once

#include <cstddef>

#include "engine/cloud/point_cloud.h"
#include "render/scene/display_space.h"

namespace clusterloom {

/// Lays out the points [begin, end) of a cloud in a space of dimensions or principal axes, three
/// floats each, as makeDisplayPoints does. Outliers that the space was not made for stay finite.
void placePoints(const DisplaySpace& space, const PointCloud& cloud, std::size_t begin,
                 std::size_t end, float* xyz);

}  // namespace clusterloom
