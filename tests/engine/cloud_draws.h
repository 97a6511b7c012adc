#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/point_distance.h"

/// Clouds drawn at random, of kinds that have broken grids, sums or labels before, and an ε
/// for each that is often exactly a tie.
namespace draws {

using clusterloom::PointCloud;

inline PointCloud fromRows(const std::vector<std::vector<double>>& rows) {
  PointCloud cloud;
  cloud.columns.assign(rows.empty() ? 0 : rows.front().size(), std::vector<double>(rows.size()));
  cloud.names.assign(cloud.columns.size(), "x");
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t j = 0; j < cloud.columns.size(); ++j) cloud.columns[j][p] = rows[p][j];
  return cloud;
}

/// A cloud with these columns.
inline PointCloud cloudOf(std::vector<std::vector<double>> columns) {
  PointCloud cloud;
  for (std::vector<double>& column : columns) cloud.columns.push_back(std::move(column));
  for (std::size_t j = 0; j < cloud.columns.size(); ++j)
    cloud.names.push_back("x" + std::to_string(j));
  return cloud;
}

/// Uniform in [0, 1).
inline double unit(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

inline double normal(std::mt19937_64& random) {
  return std::sqrt(-2 * std::log(1 - unit(random))) * std::cos(6.283185307179586 * unit(random));
}

/// x moved by a few units in the last place.
inline double nudged(std::mt19937_64& random, double x) {
  const int steps = static_cast<int>(random() % 7) - 3;
  for (int i = 0; i < std::abs(steps); ++i)
    x = std::nextafter(x, steps < 0 ? -std::numeric_limits<double>::infinity()
                                    : std::numeric_limits<double>::infinity());
  return x;
}

inline const std::vector<std::string> kKinds{
    "uniform", "blobs",     "lattice",   "tenths",     "duplicates",  "offset", "exponential",
    "borders", "collinear", "stretched", "two places", "far eighths", "tiny",   "wide"};

/// Clouds with points so far from the others that cells of one length could not be numbered.
inline const std::vector<std::string> kOutlierKinds{"outliers 1e10", "outliers 1e38", "log-normal",
                                                    "Cauchy",        "far clusters",  "nodata"};
inline const std::vector<std::string> kAllKinds = [] {
  std::vector<std::string> all = kKinds;
  all.insert(all.end(), kOutlierKinds.begin(), kOutlierKinds.end());
  return all;
}();

/// A cloud of one of kAllKinds with n points.
inline PointCloud draw(std::mt19937_64& random, const std::string& kind, std::size_t n,
                       std::size_t dims) {
  std::vector<std::vector<double>> rows(n, std::vector<double>(dims));
  const double step = std::ldexp(1.0 + unit(random), static_cast<int>(random() % 9) - 4);
  const auto places = 2 + random() % 5;
  std::vector<std::vector<double>> centres(places, std::vector<double>(dims));
  for (auto& centre : centres)
    for (double& x : centre) x = 10 * unit(random);
  for (auto& row : rows) {
    const auto& centre = centres[random() % places];
    const double along = unit(random);
    for (std::size_t j = 0; j < dims; ++j) {
      double& x = row[j];
      if (kind == "uniform") x = 10 * unit(random);
      if (kind == "blobs") x = centre[j] + 0.4 * normal(random);
      if (kind == "lattice") x = static_cast<double>(random() % (dims < 3 ? 12 : 4));
      if (kind == "tenths") x = static_cast<double>(random() % (dims < 3 ? 12 : 4)) * 0.1 - 0.5;
      if (kind == "duplicates") x = centre[j];
      if (kind == "offset") x = 5.4e6 + std::round(1000 * (centre[j] + normal(random))) / 1000;
      if (kind == "exponential") x = -std::log(1 - unit(random)) / 40;
      // Near the corners of cells whose side is `step`, a distance that drawEps finds.
      if (kind == "borders") x = nudged(random, static_cast<double>(random() % 6) * step);
      if (kind == "collinear") x = centre[j] + along * (centres[0][j] - 5);
      if (kind == "stretched")
        x = unit(random) * std::pow(10.0, 3.0 * static_cast<double>(j % 5) - 6);
      if (kind == "two places") x = centres[random() % 2][j];
      if (kind == "far eighths") x = 1e15 + static_cast<double>(random() % 24) * 0.125;
      if (kind == "tiny") x = static_cast<double>(random() % 12) * 1e-150;
      if (kind == "wide") x = (random() % 2 ? 1 : -1) * std::pow(10.0, 16 * unit(random) - 8);
      if (kind == "outliers 1e10" || kind == "outliers 1e38") {
        x = centre[j] + 0.4 * normal(random);
        const double far = kind == "outliers 1e10" ? 1e10 : 1e38;
        if (random() % 40 == 0) x = far * (2 * unit(random) - 1);
        // Some of them close together, as far as numbers of that size can be.
        if (random() % 40 == 0) x = nudged(random, far);
      }
      if (kind == "log-normal") x = std::exp(10 * normal(random));
      if (kind == "Cauchy") x = std::tan(3.141592653589793 * (unit(random) - 0.5));
      if (kind == "far clusters")
        x = centre[j] + 0.4 * normal(random) + (&centre == &centres[0] ? 1e12 : 0);
      if (kind == "nodata") x = 10 * unit(random);
    }
  }
  if (kind == "nodata")
    for (std::size_t j = 0; j < dims; ++j) rows[random() % n][j] = 3.4028234663852886e38;
  if (kind == "borders") rows.front().assign(dims, 0.0);  // the grid's corner, exactly
  return fromRows(rows);
}

/// An ε for the cloud: mostly the distance of some pair, or its neighbours among the doubles.
inline double drawEps(std::mt19937_64& random, const PointCloud& cloud) {
  const std::size_t n = cloud.size();
  double smallest = std::numeric_limits<double>::infinity();
  const int tries = 1 << (random() % 9);
  const std::size_t p = random() % n;
  for (int i = 0; i < tries; ++i) {
    const double s = clusterloom::canonicalSquaredDistance(cloud, p, random() % n);
    if (s > 0) smallest = std::min(smallest, s);
  }
  double eps = std::isfinite(smallest) ? std::sqrt(smallest) : 1.0;
  // Pairs that differ in one dimension only put their tie on a cell's border.
  if (random() % 4 == 0) {
    const auto& column = cloud.columns[random() % cloud.dims()];
    const double difference = std::abs(column[p] - column[random() % n]);
    if (difference > 0) eps = difference;
  }
  switch (random() % 5) {
    case 0: eps = std::nextafter(eps, 0.0); break;
    case 1: eps = std::nextafter(eps, std::numeric_limits<double>::infinity()); break;
    case 2: eps *= 0.5 + unit(random); break;
    default: break;
  }
  return clusterloom::epsSquared(eps) ? eps : 1.0;
}

/// The points of `cloud` from `from` to before `to`.
inline PointCloud partOf(const PointCloud& cloud, std::size_t from, std::size_t to) {
  PointCloud part;
  part.names = cloud.names;
  for (const auto& column : cloud.columns)
    part.columns.emplace_back(column.begin() + static_cast<std::ptrdiff_t>(from),
                              column.begin() + static_cast<std::ptrdiff_t>(to));
  return part;
}

/// Where the parts of `ranks` ranks begin, and the number of points: parts of one size.
inline std::vector<std::size_t> equalCuts(std::size_t points, int ranks) {
  std::vector<std::size_t> cuts;
  for (int r = 0; r <= ranks; ++r)
    cuts.push_back(points * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks));
  return cuts;
}

/// The same for parts of any size, often empty.
inline std::vector<std::size_t> drawnCuts(std::mt19937_64& random, std::size_t points, int ranks) {
  std::vector<std::size_t> cuts{0, points};
  for (int r = 1; r < ranks; ++r) cuts.push_back(random() % (points + 1));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace draws
