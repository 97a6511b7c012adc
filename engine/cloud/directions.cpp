#include "engine/cloud/directions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/cloud/borrowed_cloud.h"
#include "engine/cloud/plain_math.h"
#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

// Unit vectors to be written: that of point p has coordinate j in to[j][p · step].
struct Units {
  PointCloud cloud;
  std::vector<double*> to;
  std::size_t step = 1;
};

// By columns, or by rows where the cloud borrows rows: code that reads rows then needs no copy of
// them.
Units unitsFor(const PointCloud& cloud) {
  const std::size_t points = cloud.size();
  const std::size_t dims = cloud.dims();
  Units units;
  if (rowsOf(cloud)) {
    const std::shared_ptr<double[]> rows(new double[points * dims]);
    units.cloud = borrowedCloud({.first = rows.get(),
                                 .points = points,
                                 .dims = dims,
                                 .pointStride = std::ptrdiff_t(dims * sizeof(double)),
                                 .dimStride = sizeof(double),
                                 .single = false,
                                 .owner = rows});
    units.step = dims;
    for (std::size_t j = 0; j < dims; ++j) units.to.push_back(rows.get() + j);
  } else {
    units.cloud.columns.assign(dims, Coordinates(points));
    for (Coordinates& column : units.cloud.columns) units.to.push_back(column.data());
  }
  units.cloud.names = cloud.names;
  return units;
}

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

Result<PointCloud> directions(const PointCloud& cloud, const Task& task, const RowOfPoint& rowOf) {
  Units units = unitsFor(cloud);
  const std::size_t atOnce = pointsAtOnce(cloud.dims());
  std::vector<double> largest(atOnce);
  std::vector<double> sums(atOnce);
  for (std::size_t begin = 0; begin < cloud.size(); begin += atOnce) {
    if (task.cancelled()) return cancelledError();
    const std::size_t end = std::min(cloud.size(), begin + atOnce);
    std::fill(largest.begin(), largest.end(), 0.0);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const Coordinates& column : cloud.columns)
      withValues(column, [&](const auto& x) {
        for (std::size_t p = begin; p < end; ++p)
          largest[p - begin] = std::max(largest[p - begin], std::abs(x[p]));
      });
    const auto zero = std::find(largest.begin(), largest.begin() + (end - begin), 0.0);
    if (zero != largest.begin() + (end - begin))
      return badInput("All coordinates of " +
                      pointText(begin + std::size_t(zero - largest.begin()), rowOf) +
                      " are 0: it has no direction, and no cosine distance. Leave it out.");
    // By the largest coordinate first, so that no square overflows and the largest is 1.
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      withValues(cloud.columns[j], [&](const auto& x) {
        double* to = units.to[j] + begin * units.step;
        for (std::size_t p = begin; p < end; ++p, to += units.step) {
          *to = x[p] / largest[p - begin];
          sums[p - begin] += *to * *to;
        }
      });
    for (double& sum : sums) sum = std::sqrt(sum);
    for (double* to : units.to) {
      to += begin * units.step;
      for (std::size_t p = begin; p < end; ++p, to += units.step) *to /= sums[p - begin];
    }
  }
  return std::move(units.cloud);
}

Result<double> chordOfCosine(double eps) {
  if (std::isfinite(eps) && eps > 0) return eps >= 2 ? kBeyondAllChords : std::sqrt(2 * eps);
  return badCall("ε must be a positive, finite cosine distance, not " + roundTripText(eps) + ".");
}

double angleOfCosine(double eps) {
  // By half of the angle: 1 − ε would lose the digits of a small ε.
  return 360 / kPi * std::asin(std::sqrt(std::clamp(eps / 2, 0.0, 1.0)));
}

double cosineOfChord(double squaredChord) {
  if (!(squaredChord > 0) || !std::isfinite(squaredChord)) return squaredChord;
  // Roots and squares are rounded correctly, so that this never falls as ε grows.
  const auto reaches = [squaredChord](double eps) {
    const double chord = std::sqrt(2 * eps);
    return chord * chord >= squaredChord;
  };
  double eps = squaredChord / 2;
  while (!reaches(eps)) eps = std::nextafter(eps, std::numeric_limits<double>::infinity());
  for (double below = std::nextafter(eps, 0.0); reaches(below); below = std::nextafter(eps, 0.0))
    eps = below;
  return std::min(eps, 2.0);
}

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
