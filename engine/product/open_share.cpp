#include "engine/product/open_share.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cloud/stratified_sample.h"

namespace clusterloom {
namespace {

constexpr std::size_t kQueries = 32;
constexpr std::size_t kPoints = 512;
constexpr double kStepsOfBytes = 254;

/// The coordinates of `count` points: [dimension][point].
std::vector<double> sampleOf(const PointCloud& cloud, std::size_t count) {
  const std::vector<std::uint32_t> ids = stratifiedSample(cloud.size(), count);
  std::vector<double> sample(cloud.dims() * count);
  tbb::parallel_for(std::size_t{0}, cloud.dims(), [&](std::size_t j) {
    for (std::size_t i = 0; i < count; ++i) sample[j * count + i] = cloud.columns[j][ids[i]];
  });
  return sample;
}

}  // namespace

double openShareOfBytes(const PointCloud& asking, const PointCloud& cloud, double eps) {
  const std::size_t dims = cloud.dims();
  const std::size_t queries = std::min(asking.size(), kQueries);
  const std::size_t points = std::min(cloud.size(), kPoints);
  const std::vector<double> x = sampleOf(cloud, points);
  const std::vector<double> y = sampleOf(asking, queries);
  double widest = 0;
  std::vector<double> squares(queries * points, 0);
  for (std::size_t j = 0; j < dims; ++j) {
    const double* const column = x.data() + j * points;
    const auto [low, high] = std::minmax_element(column, column + points);
    widest = std::max(widest, *high - *low);
    for (std::size_t q = 0; q < queries; ++q) {
      const double from = y[j * queries + q];
      double* const row = squares.data() + q * points;
      for (std::size_t i = 0; i < points; ++i) row[i] += (column[i] - from) * (column[i] - from);
    }
  }
  // Rounding moves a coordinate by up to half a step, evenly spread.
  const double moved = 2 * std::sqrt(double(dims) / 12) * widest / kStepsOfBytes;
  const auto open = std::ranges::count_if(squares, [&](double square) {
    return square > 0 && std::abs(std::sqrt(square) - eps) <= moved;
  });
  return double(open) / double(squares.size());
}

}  // namespace clusterloom
