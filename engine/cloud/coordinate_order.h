#pragma once

#include <span>
#include <string>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// Whether two clouds name the same coordinates in another order: distances between them would be
/// of one coordinate to another. False where a name occurs twice.
bool sameInAnotherOrder(std::span<const std::string> names, std::span<const std::string> others);

/// Puts the coordinates of `cloud` in the order of these names, where sameInAnotherOrder; says
/// whether it did.
bool orderCoordinates(std::span<const std::string> names, PointCloud& cloud);

}  // namespace clusterloom
