#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/space.h"

namespace clusterloom {

/// Whether two clouds name the same coordinates in another order: distances between them would be
/// of one coordinate to another. False where a name occurs twice.
bool sameInAnotherOrder(std::span<const std::string> names, std::span<const std::string> others);

/// Puts the coordinates of `cloud` in the order of these names, where sameInAnotherOrder; says
/// whether it did.
bool orderCoordinates(std::span<const std::string> names, PointCloud& cloud);

/// Whether the two coordinates of a cloud are named as longitude and latitude, and in which order.
enum class GeographicNames { None, LongitudeFirst, LatitudeFirst };

/// By the beginnings of the names: "lon" or "lng" and "lat", in any case.
GeographicNames geographicNames(const PointCloud& cloud);

/// Whether two names given as longitude and latitude say the other order: the first begins with
/// "lat" or is "y", the second begins with "lon" or "lng" or is "x", in any case.
bool namesLatitudeFirst(const std::string& first, const std::string& second);

/// The places of longitude and latitude in a list of names.
struct GeographicPair {
  std::size_t longitude = 0;
  std::size_t latitude = 0;
};
/// The two names that are "lon", "long", "lng" or "longitude" and "lat" or "latitude", in any case;
/// where there are none, those that begin as geographicNames says. nullopt unless there is exactly
/// one of each.
std::optional<GeographicPair> geographicPair(std::span<const std::string> names);

/// The space with the order of a cloud's coordinates, where it is a sphere: latitude first where
/// the names say so, else longitude first.
Space inOrderOfNames(Space space, const PointCloud& cloud);

/// A cloud to be added to one whose coordinates are in the order of `space`: where that is a sphere
/// and the names say the other order, the two coordinates change places.
PointCloud inOrderOf(const Space& space, PointCloud cloud);

}  // namespace clusterloom
