#include "engine/product/open_share.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/cloud/stratified_sample.h"

namespace clusterloom {
namespace {

constexpr std::size_t kQueries = 32;
constexpr std::size_t kPoints = 512;
constexpr double kStepsOfBytes = 254;

PointCloud sampleOf(const PointCloud& cloud, std::size_t most) {
  return pointsOf(cloud, stratifiedSample(cloud.size(), most));
}

}  // namespace

double openShareOfBytes(const PointCloud& asking, const PointCloud& cloud, double eps) {
  const std::size_t dims = cloud.dims();
  const PointCloud x = sampleOf(cloud, kPoints);
  const PointCloud y = sampleOf(asking, kQueries);
  const std::size_t points = x.size();
  const std::size_t queries = y.size();
  double widest = 0;
  std::vector<double> squares(queries * points, 0);
  for (std::size_t j = 0; j < dims; ++j) {
    const std::vector<double>& column = x.columns[j];
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    widest = std::max(widest, *high - *low);
    for (std::size_t q = 0; q < queries; ++q) {
      const double from = y.columns[j][q];
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
