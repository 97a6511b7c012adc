#pragma once

#include <cstdio>
#include <string>

#include "engine/cloud/generators.h"
#include "engine/join/strategy.h"

/// The clouds of the papers' tables and the strategies by their names there.
namespace paperClouds {

using namespace clusterloom;

struct Case {
  const char* generator;
  std::size_t dims;
  std::size_t points;
  double eps;
};

/// One of [Gallet 2019]'s tables, with the milliseconds of a counting join on one H200: what a
/// plain kernel in cell order took, what is asked at least, what is aimed at.
struct JoinGoal {
  Case cloud;
  double plainMs;
  double mustMs;
  double aimMs;
};

inline constexpr JoinGoal kTables[] = {{{"expo", 2, 2'000'000, 0.002}, 34.8, 25, 8},
                                       {{"unif", 2, 2'000'000, 1.0}, 2.66, 1.9, 0.6},
                                       {{"expo", 6, 2'000'000, 0.012}, 271, 160, 60},
                                       {{"unif", 6, 2'000'000, 8}, 24.5, 12, 6}};

inline std::string nameOf(const Case& c) {
  char name[64];
  std::snprintf(name, sizeof name, "%s%zuD%gM, eps %g", c.generator, c.dims,
                static_cast<double>(c.points) / 1e6, c.eps);
  return name;
}

inline PointCloud make(const Case& c) {
  return std::move(
      generate({.kind = c.generator, .points = c.points, .dims = c.dims, .seed = 42})->cloud);
}

struct Named {
  const char* name;
  AccessPattern pattern;
  QueryOrder order;
  int threadsPerPoint;
};

/// Tables III, IV and V of [Gallet 2019], and the combinations of table VI.
inline constexpr Named kOf000[] = {
    {"GPUCALCGLOBAL", AccessPattern::Full, QueryOrder::Bins, 1},
    {"UNICOMP", AccessPattern::Unicomp, QueryOrder::Bins, 1},
    {"LID-UNICOMP", AccessPattern::LidUnicomp, QueryOrder::Bins, 1},
    {"k = 8", AccessPattern::Full, QueryOrder::Bins, 8},
    {"SORTBYWL", AccessPattern::Full, QueryOrder::SortByWorkload, 1},
    {"WORKQUEUE", AccessPattern::Full, QueryOrder::WorkQueue, 1},
    {"WORKQUEUE, LID-UNICOMP", AccessPattern::LidUnicomp, QueryOrder::WorkQueue, 1},
    {"WORKQUEUE, k = 8, LID-UNICOMP", AccessPattern::LidUnicomp, QueryOrder::WorkQueue, 8},
    {"tile", AccessPattern::Tile, QueryOrder::Cell, 1}};

/// As the papers' kernels are: all dimensions indexed up to six, no other option.
inline Strategy strategyOf(const Named& named, std::size_t dims) {
  return {.pattern = named.pattern,
          .order = named.order,
          .indexedDims = static_cast<int>(dims < 6 ? dims : 6),
          .threadsPerPoint = named.threadsPerPoint,
          .reorder = Toggle::Off,
          .sortIdu = Toggle::Off,
          .shortCircuit = Toggle::Off,
          .blockSize = 256};
}

}  // namespace paperClouds
