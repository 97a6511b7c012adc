#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "engine/core/predicate.h"
#include "engine/cuda/dbscan/fused_dbscan.h"
#include "tests/device/device_points.h"

/// What the fused DBSCAN of a GPU costs a point, by how dense the points lie: the weights of a
/// division of space between GPUs (engine/distributed/divide_space.h) follow from it.
namespace pointCosts {

using namespace clusterloom;

constexpr int kStages = 5;  // bounds, index, core test, union, labels

struct Cost {
  double stages[kStages] = {};  // milliseconds
  int reach = 0;
};

inline Cost costOf(GpuRun& run, const DeviceCloud& cloud, double eps, std::int64_t minPts,
                   int reach, int repeat) {
  std::vector<int> dims(cloud.dims);
  std::iota(dims.begin(), dims.end(), 0);
  const GpuFusedPlan plan{.squaredEps = *epsSquared(eps), .dims = dims, .reach = reach};
  Cost least;
  double best = std::numeric_limits<double>::infinity();
  for (int i = -1; i < repeat; ++i) {
    const DeviceLabels found = fusedLabels(run, cloud, {eps, minPts}, plan);
    run.wait();
    const double all = millisecondsBetween(found.stages.front().second, found.stages.back().second);
    if (i < 0 || all >= best) continue;
    best = all;
    least.reach = found.reach;
    for (int s = 0; s < kStages; ++s)
      least.stages[s] = millisecondsBetween(found.stages[static_cast<std::size_t>(s)].second,
                                            found.stages[static_cast<std::size_t>(s) + 1].second);
  }
  return least;
}

/// Prints, for uniform points in 2-D and 3-D and each density, in points of an ε-cell: nanoseconds
/// a point until the grid is there, of core tests, of unions and of labels, with ε-cells and with
/// sub-cells, and which of both the engine takes. Of `repeat` runs the fastest one, after one that
/// is not timed.
inline void print(GpuRun& run, std::size_t points, int repeat) {
  std::printf("%zu uniform points, ns a point: index, core test, union, labels\n", points);
  for (const std::size_t dims : {std::size_t{2}, std::size_t{3}}) {
    const DeviceCloud cloud = devicePoints::make(run, devicePoints::Kind::Uniform, 0, points, dims);
    for (const std::int64_t minPts : {4, 10, 40})
      for (double density = 0.125; density < 3000; density *= 2) {
        const double eps =
            100 * std::pow(density / static_cast<double>(points), 1 / static_cast<double>(dims));
        std::printf("%zu-D minPts %2lld density %8.3f:", dims, static_cast<long long>(minPts),
                    density);
        int chosen = 0;
        for (const int reach : {1, 2, 0}) {
          const Cost cost = costOf(run, cloud, eps, minPts, reach, reach == 0 ? 1 : repeat);
          chosen = cost.reach;
          if (reach == 0) continue;
          std::printf("  reach %d", reach);
          const double each = 1e6 / static_cast<double>(points);
          std::printf(" %6.3f", each * (cost.stages[0] + cost.stages[1]));
          for (int s = 2; s < kStages; ++s) std::printf(" %6.3f", each * cost.stages[s]);
        }
        std::printf("  taken %d\n", chosen);
        std::fflush(stdout);
      }
  }
}

}  // namespace pointCosts
