#include "engine/cloud/directions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

// Points between two looks at the task, whose sums stay in the cache.
constexpr std::size_t kDirectionsAtOnce = std::size_t{1} << 12;

}  // namespace

Result<PointCloud> directions(const PointCloud& cloud, const Task& task, const RowOfPoint& rowOf) {
  PointCloud units = cloud;
  std::vector<double> largest(kDirectionsAtOnce);
  std::vector<double> sums(kDirectionsAtOnce);
  for (std::size_t begin = 0; begin < cloud.size(); begin += kDirectionsAtOnce) {
    if (task.cancelled()) return cancelledError();
    const std::size_t end = std::min(cloud.size(), begin + kDirectionsAtOnce);
    std::fill(largest.begin(), largest.end(), 0.0);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const std::vector<double>& column : cloud.columns)
      for (std::size_t p = begin; p < end; ++p)
        largest[p - begin] = std::max(largest[p - begin], std::abs(column[p]));
    const auto zero = std::find(largest.begin(), largest.begin() + (end - begin), 0.0);
    if (zero != largest.begin() + (end - begin))
      return badInput("All coordinates of " +
                      pointText(begin + std::size_t(zero - largest.begin()), rowOf) +
                      " are 0: it has no direction, and no cosine distance. Leave it out.");
    // By the largest coordinate first, so that no square overflows and the largest is 1.
    for (std::vector<double>& column : units.columns) {
      for (std::size_t p = begin; p < end; ++p) {
        column[p] /= largest[p - begin];
        sums[p - begin] += column[p] * column[p];
      }
    }
    for (double& sum : sums) sum = std::sqrt(sum);
    for (std::vector<double>& column : units.columns)
      for (std::size_t p = begin; p < end; ++p) column[p] /= sums[p - begin];
  }
  return units;
}

Result<double> chordOfCosine(double eps) {
  if (std::isfinite(eps) && eps > 0) return std::sqrt(2 * eps);
  return badCall("ε must be a positive, finite cosine distance, not " + roundTripText(eps) + ".");
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
  return eps;
}

}  // namespace clusterloom
