#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/product/product_reach.h"
#include "engine/product/rounded_points.h"

/// Points rounded to bytes as the kernels of a GPU round them, in plain loops.
struct RoundedBytes {
  double scale = 0;                 ///< 0 where nothing is rounded
  std::vector<std::int32_t> bytes;  ///< [point][dims]
  std::vector<std::int32_t> norms;
  std::vector<double> errors;

  std::int32_t product(std::size_t p, std::size_t q) const {
    const std::size_t dims = bytes.size() / norms.size();
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < dims; ++j) sum += bytes[p * dims + j] * bytes[q * dims + j];
    return sum;
  }
};

inline RoundedBytes roundedBytes(const clusterloom::PointCloud& cloud) {
  using namespace clusterloom;
  const std::size_t n = cloud.size();
  const std::size_t dims = cloud.dims();
  const PointCloud* const clouds[] = {&cloud};
  const std::vector<double> centre = roundingFor(clouds, {}).centre;
  double largest = 0;
  for (std::size_t j = 0; j < dims; ++j)
    for (const double x : cloud.columns[j]) largest = std::max(largest, std::abs(x - centre[j]));
  RoundedBytes rounded;
  rounded.bytes.resize(n * dims);
  rounded.norms.resize(n);
  rounded.errors.resize(n);
  if (!std::isfinite(largest) || largest == 0) return rounded;
  rounded.scale = std::min(kLargestByte / largest, 1e300);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t j = 0; j < dims; ++j) {
      const std::int32_t value =
          roundedCoordinate(cloud.columns[j][p], centre[j], rounded.scale, rounded.errors[p]);
      rounded.bytes[p * dims + j] = value;
      rounded.norms[p] += value * value;
    }
    rounded.errors[p] = std::sqrt(rounded.errors[p]) * (1 + kReachMargin);
  }
  return rounded;
}
