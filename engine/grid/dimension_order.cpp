#include "engine/grid/dimension_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/cloud/random_stream.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

double sampledVariance(const Coordinates& column, std::size_t stride) {
  // Around the first coordinate, so that large offsets (UTM metres) do not cancel.
  const double pivot = column.front();
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (std::size_t i = 0; i < column.size(); i += stride) {
    const double x = column[i] - pivot;
    sum += x;
    squares += x * x;
    ++count;
  }
  return (squares - sum * sum / count) / count;
}

}  // namespace

std::vector<int> dimensionsInCloudOrder(const PointCloud& cloud) {
  std::vector<int> order(cloud.dims());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> dimensionsByVariance(const PointCloud& cloud) {
  // Every coordinate of the sample is a cache line.
  constexpr std::size_t kLeast = 1000;
  constexpr std::size_t kMost = 4000;
  const std::size_t sample = std::clamp(cloud.size() / 100, kLeast, kMost);
  const std::size_t stride = std::max<std::size_t>(1, cloud.size() / sample);
  std::vector<double> variance(cloud.dims());
  parallelFor(cloud.dims(), 1,
              [&](std::size_t j) { variance[j] = sampledVariance(cloud.columns[j], stride); });
  std::vector<int> order = dimensionsInCloudOrder(cloud);
  // An overflowing sum of squares gives NaN; such a dimension sorts as the widest there is.
  for (double& v : variance)
    if (!(v == v)) v = std::numeric_limits<double>::infinity();
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return variance[std::size_t(a)] > variance[std::size_t(b)];
  });
  return order;
}

std::vector<double> meanSteps(const PointCloud& cloud) {
  constexpr int kPairs = 2000;
  RandomStream random(2013, 0);
  std::vector<double> mean(cloud.dims(), 0.0);
  const auto n = std::uint32_t(cloud.size());
  for (int i = 0; i < kPairs; ++i) {
    const std::uint32_t a = random.below(n);
    const std::uint32_t b = random.below(n);
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      mean[j] += std::fabs(cloud.columns[j][a] - cloud.columns[j][b]) / kPairs;
  }
  return mean;
}

std::vector<int> dimensionsByMeanStep(const PointCloud& cloud) {
  const std::vector<double> mean = meanSteps(cloud);
  std::vector<int> order = dimensionsInCloudOrder(cloud);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return mean[std::size_t(a)] > mean[std::size_t(b)]; });
  return order;
}

}  // namespace clusterloom
