#include "engine/cloud/sphere_points.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/cloud/directions.h"
#include "engine/cloud/plain_math.h"
#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Points between two looks at the task.
constexpr std::size_t kPointsAtOnce = std::size_t{1} << 14;

CosSin cosSinOf(double angle, Sphere::Angles angles) {
  if (angles == Sphere::Angles::Radians) return plainCosSin(angle / (2 * kPi));
  // Exact to the nearest multiple of 90°, so that the rounding of the division is small, then
  // turned by quarters.
  const double circle = std::remainder(angle, 360.0);
  const double quarters = std::nearbyint(circle / 90.0);
  const CosSin rest = plainCosSin((circle - 90.0 * quarters) / 360.0);
  switch ((int(quarters) + 4) % 4) {
    case 0: return rest;
    case 1: return {-rest.sin, rest.cos};
    case 2: return {-rest.cos, -rest.sin};
    default: return {rest.sin, -rest.cos};
  }
}

}  // namespace

Result<void> checkAngles(const PointCloud& cloud, const Sphere& sphere, const RowOfPoint& rowOf) {
  if (cloud.dims() != 2)
    return badInput("Longitude and latitude are two coordinates, but this cloud has " +
                    std::to_string(cloud.dims()) + ". Choose the two columns, " +
                    (sphere.latitudeFirst ? "latitude first." : "longitude first."));
  const bool degrees = sphere.angles == Sphere::Angles::Degrees;
  const double pole = degrees ? 90.0 : kPi / 2;
  const Coordinates& latitudes = cloud.columns[sphere.latitudeFirst ? 0 : 1];
  const auto bad = std::find_if(latitudes.begin(), latitudes.end(),
                                [pole](double latitude) { return !(std::abs(latitude) <= pole); });
  if (bad == latitudes.end()) return {};
  return badInput(
      "The latitude of " + pointText(std::size_t(bad - latitudes.begin()), rowOf) + " is " +
      roundTripText(*bad) +
      (degrees ? ", not between -90 and 90 degrees." : ", not between -π/2 and π/2 radians.") +
      (sphere.latitudeFirst ? " Latitude is the first of the two columns, longitude the second."
                            : " Longitude is the first of the two columns, latitude the second."));
}

Result<PointCloud> unitVectors(const PointCloud& cloud, const Sphere& sphere, const Task& task) {
  if (auto fine = checkAngles(cloud, sphere); !fine) return tl::unexpected(fine.error());
  PointCloud vectors;
  vectors.names = {"x", "y", "z"};
  vectors.columns.assign(3, std::vector<double>(cloud.size()));
  const Coordinates& longitudes = cloud.columns[sphere.latitudeFirst ? 1 : 0];
  const Coordinates& latitudes = cloud.columns[sphere.latitudeFirst ? 0 : 1];
  for (std::size_t p = 0; p < cloud.size(); ++p) {
    if (p % kPointsAtOnce == 0 && task.cancelled()) return cancelledError();
    const CosSin lon = cosSinOf(longitudes[p], sphere.angles);
    const CosSin lat = cosSinOf(latitudes[p], sphere.angles);
    // Without negative zeros: equal vectors have equal bits.
    vectors.columns[0][p] = lat.cos * lon.cos + 0.0;
    vectors.columns[1][p] = lat.cos * lon.sin + 0.0;
    vectors.columns[2][p] = lat.sin + 0.0;
  }
  return vectors;
}

Result<double> chordOf(double eps, const Sphere& sphere) {
  if (!std::isfinite(eps) || !(eps > 0))
    return badCall("ε must be a positive, finite number, not " + roundTripText(eps));
  const double radians = eps / sphere.radius;
  if (radians >= kPi) return kBeyondAllChords;
  return 2 * plainCosSin(radians / 2 / (2 * kPi)).sin;
}

}  // namespace clusterloom
