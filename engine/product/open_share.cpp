#include "engine/product/open_share.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace clusterloom {
namespace {

constexpr std::size_t kQueries = 64;
constexpr std::size_t kPoints = 1024;
constexpr double kStepsOfBytes = 254;

}  // namespace

double openShareOfBytes(const PointCloud& asking, const PointCloud& cloud, double eps) {
  const std::size_t dims = cloud.dims();
  const std::size_t queries = std::min(asking.size(), kQueries);
  const std::size_t points = std::min(cloud.size(), kPoints);
  std::vector<double> squares(queries * points, 0);
  double widest = 0;
  for (std::size_t j = 0; j < dims; ++j) {
    std::array<double, kPoints> sampled;
    const auto& x = cloud.columns[j];
    for (std::size_t i = 0; i < points; ++i) sampled[i] = x[i * x.size() / points];
    const auto [low, high] = std::minmax_element(sampled.begin(), sampled.begin() + points);
    widest = std::max(widest, *high - *low);
    const auto& y = asking.columns[j];
    for (std::size_t q = 0; q < queries; ++q) {
      const double center = y[q * y.size() / queries];
      double* const row = squares.data() + q * points;
      for (std::size_t i = 0; i < points; ++i)
        row[i] += (sampled[i] - center) * (sampled[i] - center);
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
