#include "engine/validity/cluster_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/core/instruction_sets.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

constexpr std::size_t kLanes = 8;  // partial sums, which a compiler may keep in vectors
using Block = std::array<double, kBlock>;

/// The smallest positive value; +∞ without one.
CLUSTERLOOM_CLONES
double leastPositive(const Block& squared) {
  std::array<double, kLanes> least;
  least.fill(kInfinity);
  for (std::size_t i = 0; i < kBlock; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double value = squared[i + lane] > 0 ? squared[i + lane] : kInfinity;
      least[lane] = value < least[lane] ? value : least[lane];
    }
  return *std::min_element(least.begin(), least.end());
}

/// Σ (scale / squared)^(dims / 2) over the positive values, in place. No term is above 1.
CLUSTERLOOM_CLONES
double sumOfPowers(Block& squared, double scale, std::size_t dims) {
  Block result;
  for (std::size_t i = 0; i < kBlock; ++i) squared[i] = squared[i] > 0 ? scale / squared[i] : 0.0;
  if (dims % 2 == 1)
    for (std::size_t i = 0; i < kBlock; ++i) result[i] = std::sqrt(squared[i]);
  else
    result.fill(1);
  for (std::size_t power = dims / 2; power > 0; power /= 2) {
    if (power % 2 == 1)
      for (std::size_t i = 0; i < kBlock; ++i) result[i] *= squared[i];
    if (power > 1)
      for (std::size_t i = 0; i < kBlock; ++i) squared[i] *= squared[i];
  }
  std::array<double, kLanes> sums{};
  for (std::size_t i = 0; i < kBlock; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += result[i + lane];
  double sum = 0;
  for (const double lane : sums) sum += lane;
  return sum;
}

/// Of point p. Terms are relative to the nearest point so far, so that no power overflows.
double coreOf(const ClusterPoints& points, std::size_t p, std::vector<double>& at,
              const Task& task) {
  const std::size_t n = points.size();
  for (std::size_t j = 0; j < points.dims; ++j) at[j] = points.coordinates[j * n + p];
  const double half = double(points.dims) / 2;
  double scale = kInfinity;
  double sum = 0;
  Block squared;
  for (std::size_t begin = 0; begin < n && !task.cancelled(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, n - begin);
    squaredDistances(at.data(), points.coordinates.data(), n, points.dims, begin, count,
                     squared.data());
    std::fill(squared.begin() + std::ptrdiff_t(count), squared.end(), 0.0);
    const double least = leastPositive(squared);
    if (least < scale) {
      sum *= std::pow(least / scale, half);  // of nothing at first: 0
      scale = least;
    }
    if (std::isfinite(scale)) sum += sumOfPowers(squared, scale, points.dims);
  }
  if (sum == 0) return 0;
  return scale * std::pow(sum / double(n - 1), -1 / half);
}

}  // namespace

void allPointsCore(const ClusterPoints& points, std::span<double> squaredCore,
                   SharedProgress& progress, const Task& task) {
  parallelForBlocks(points.size(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<double> at(points.dims);
    for (std::size_t p = begin; p < end && !task.cancelled(); ++p)
      squaredCore[p] = coreOf(points, p, at, task);
    progress.add((end - begin) * points.size());
  });
}

}  // namespace clusterloom
