#include "engine/cloud/geographic_names.h"

#include <string>
#include <utility>

namespace clusterloom {

namespace {

bool beginsWith(const std::string& name, const char* beginning) {
  std::string text = name.substr(0, 3);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text == beginning;
}

bool isLongitude(const std::string& name) {
  return beginsWith(name, "lon") || beginsWith(name, "lng");
}

bool isLatitude(const std::string& name) { return beginsWith(name, "lat"); }

}  // namespace

GeographicNames geographicNames(const PointCloud& cloud) {
  if (cloud.dims() != 2 || cloud.names.size() != 2) return GeographicNames::None;
  const std::string& first = cloud.names[0];
  const std::string& second = cloud.names[1];
  if (isLongitude(first) && isLatitude(second)) return GeographicNames::LongitudeFirst;
  if (isLatitude(first) && isLongitude(second)) return GeographicNames::LatitudeFirst;
  return GeographicNames::None;
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
