#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"

#include <tbb/parallel_for.h>

/// The clouds in many dimensions that are measured.
namespace manyDims {

using clusterloom::PointCloud;

struct Case {
  const char* name;
  std::size_t points;
  std::size_t dims;
  double eps;
  std::size_t centres;  ///< of normal clusters; 0: exponential with λ = 40
  bool single;          ///< coordinates are those of float32
};
inline constexpr Case kCases[] = {{"gauss128", 200'000, 128, 13.795, 50, false},
                                  {"expo16", 2'000'000, 16, 0.05, 0, false},
                                  {"expo32", 2'000'000, 32, 0.10, 0, false},
                                  {"gauss384", 1'000'000, 384, 25.8, 1000, true},
                                  {"normal384", 200'000, 384, 24.5, 1, true}};

/// Normal points of a name DIMSxPOINTS, what follows it goes to `rest`; ε is such that few pairs
/// are neighbours.
inline std::optional<Case> caseOf(const char* name, std::string& rest) {
  unsigned long long dims = 0;
  unsigned long long points = 0;
  char text[16] = "";
  if (std::sscanf(name, "%llux%llu%15s", &dims, &points, text) < 2) return std::nullopt;
  rest = text;
  return Case{name, points, dims, 0.85 * std::sqrt(2.0 * static_cast<double>(dims)), 1, true};
}

inline PointCloud make(const Case& c) {
  PointCloud cloud;
  cloud.columns.assign(c.dims, std::vector<double>(c.points));
  std::vector<double> centres(std::max<std::size_t>(1, c.centres) * c.dims);
  std::mt19937_64 ofCentres(7);
  std::normal_distribution<double> spread(0, 3);
  for (double& x : centres) x = spread(ofCentres);
  constexpr std::size_t kBlock = 4096;
  tbb::parallel_for(std::size_t{0}, (c.points + kBlock - 1) / kBlock, [&](std::size_t block) {
    std::mt19937_64 random(1000 + block);
    std::normal_distribution<double> normal(0, 1);
    std::exponential_distribution<double> exponential(40);
    for (std::size_t p = block * kBlock; p < std::min(c.points, (block + 1) * kBlock); ++p) {
      const std::size_t centre = c.centres == 0 ? 0 : random() % c.centres;
      for (std::size_t j = 0; j < c.dims; ++j) {
        const double x =
            c.centres == 0 ? exponential(random) : centres[centre * c.dims + j] + normal(random);
        cloud.columns[j][p] = c.single ? static_cast<double>(static_cast<float>(x)) : x;
      }
    }
  });
  return cloud;
}

/// How many of 64 points, spread over the cloud, are found wrong: isWrong(p, squares) gets a point
/// and the squared distances of all points to it, summed in the order of the dimensions as by the
/// predicate, and is called by several threads.
inline std::size_t wrongOfAsked(
    const PointCloud& cloud,
    const std::function<bool(std::size_t p, const std::vector<double>& squares)>& isWrong) {
  constexpr std::size_t kAsked = 64;
  std::vector<std::size_t> wrong(kAsked);
  tbb::parallel_for(std::size_t{0}, kAsked, [&](std::size_t i) {
    const std::size_t p = cloud.size() / kAsked * i;
    std::vector<double> squares(cloud.size());
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      for (std::size_t q = 0; q < cloud.size(); ++q) {
        const double difference = cloud.columns[j][p] - cloud.columns[j][q];
        squares[q] += difference * difference;
      }
    wrong[i] = isWrong(p, squares) ? 1 : 0;
  });
  return static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), 1));
}

template <class Value>
void writeRows(const PointCloud& cloud, const std::string& file) {
  std::vector<Value> rows(cloud.size() * cloud.dims());
  tbb::parallel_for(std::size_t{0}, cloud.size(), [&](std::size_t p) {
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      rows[p * cloud.dims() + j] = static_cast<Value>(cloud.columns[j][p]);
  });
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (out == nullptr || std::fwrite(rows.data(), sizeof(Value), rows.size(), out) != rows.size())
    std::printf("cannot write %s\n", file.c_str());
  if (out != nullptr) std::fclose(out);
}

/// Writes the coordinates as raw doubles or floats, row by row, to a file of the case's name.
inline void write(const PointCloud& cloud, const Case& c, const std::string& folder) {
  const std::string file = folder + "/" + c.name;
  c.single ? writeRows<float>(cloud, file) : writeRows<double>(cloud, file);
}

}  // namespace manyDims
