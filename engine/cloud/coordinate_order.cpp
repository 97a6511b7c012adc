#include "engine/cloud/coordinate_order.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "engine/core/lower_case.h"

namespace clusterloom {

namespace {

bool isLongitude(const std::string& name) {
  const std::string text = lowerCase(name);
  return text.starts_with("lon") || text.starts_with("lng");
}

bool isLatitude(const std::string& name) { return lowerCase(name).starts_with("lat"); }

bool isWholeLongitude(const std::string& name) {
  const std::string text = lowerCase(name);
  return text == "lon" || text == "long" || text == "lng" || text == "longitude";
}

bool isWholeLatitude(const std::string& name) {
  const std::string text = lowerCase(name);
  return text == "lat" || text == "latitude";
}

/// The number of the only name of a kind.
std::optional<std::size_t> onlyOne(std::span<const std::string> names,
                                   bool (*isOne)(const std::string&)) {
  if (std::count_if(names.begin(), names.end(), isOne) != 1) return std::nullopt;
  return std::size_t(std::find_if(names.begin(), names.end(), isOne) - names.begin());
}

}  // namespace

bool sameInAnotherOrder(std::span<const std::string> names, std::span<const std::string> others) {
  if (std::equal(names.begin(), names.end(), others.begin(), others.end())) return false;
  const std::set<std::string> first(names.begin(), names.end());
  const std::set<std::string> second(others.begin(), others.end());
  return first == second && first.size() == names.size() && second.size() == others.size();
}

bool orderCoordinates(std::span<const std::string> names, PointCloud& cloud) {
  if (!sameInAnotherOrder(names, cloud.names)) return false;
  std::vector<Coordinates> columns;
  for (const std::string& name : names) {
    const auto at = std::find(cloud.names.begin(), cloud.names.end(), name) - cloud.names.begin();
    columns.push_back(std::move(cloud.columns[std::size_t(at)]));
  }
  cloud.columns = std::move(columns);
  cloud.names.assign(names.begin(), names.end());
  return true;
}

GeographicNames geographicNames(const PointCloud& cloud) {
  if (cloud.dims() != 2 || cloud.names.size() != 2) return GeographicNames::None;
  const std::string& first = cloud.names[0];
  const std::string& second = cloud.names[1];
  if (isLongitude(first) && isLatitude(second)) return GeographicNames::LongitudeFirst;
  if (isLatitude(first) && isLongitude(second)) return GeographicNames::LatitudeFirst;
  return GeographicNames::None;
}

bool namesLatitudeFirst(const std::string& first, const std::string& second) {
  return (isLatitude(first) || lowerCase(first) == "y") &&
         (isLongitude(second) || lowerCase(second) == "x");
}

std::optional<GeographicPair> geographicPair(std::span<const std::string> names) {
  auto longitude = onlyOne(names, isWholeLongitude);
  auto latitude = onlyOne(names, isWholeLatitude);
  if (!longitude || !latitude) {
    longitude = onlyOne(names, isLongitude);
    latitude = onlyOne(names, isLatitude);
  }
  if (!longitude || !latitude) return std::nullopt;
  return GeographicPair{*longitude, *latitude};
}

Space inOrderOfNames(Space space, const PointCloud& cloud) {
  if (space.sphere)
    space.sphere->latitudeFirst = geographicNames(cloud) == GeographicNames::LatitudeFirst;
  return space;
}

PointCloud inOrderOf(const Space& space, PointCloud cloud) {
  if (!space.sphere) return cloud;
  const GeographicNames names = geographicNames(cloud);
  if (names == GeographicNames::None ||
      (names == GeographicNames::LatitudeFirst) == space.sphere->latitudeFirst)
    return cloud;
  std::swap(cloud.columns[0], cloud.columns[1]);
  std::swap(cloud.names[0], cloud.names[1]);
  return cloud;
}

}  // namespace clusterloom
