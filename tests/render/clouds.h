#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/cloud/point_cloud.h"

namespace clusterloom::testing {

/// A cloud with points of `blobs` round blobs, blob after blob in turn, and the blob of each point.
struct Blobs {
  PointCloud cloud;
  std::vector<std::int32_t> labels;
};

/// Uniform numbers in [0, 1) that are the same everywhere.
inline double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

/// Blobs of radius 1 whose middles lie `apart` units apart along a diagonal line, shifted by
/// `origin` in every dimension. Every tenth point is noise within the whole.
inline Blobs makeBlobs(std::size_t points, std::size_t dims, int blobs, std::uint64_t seed,
                       double apart = 4, double origin = 0) {
  std::mt19937_64 random(seed);
  Blobs made;
  made.cloud.columns.assign(dims, std::vector<double>(points));
  made.labels.resize(points);
  for (std::size_t j = 0; j < dims; ++j) made.cloud.names.push_back("d" + std::to_string(j));
  for (std::size_t i = 0; i < points; ++i) {
    const bool noise = i % 10 == 9;
    const auto blob = static_cast<std::int32_t>(i % static_cast<std::size_t>(blobs));
    made.labels[i] = noise ? -1 : blob;
    double squared = 2;
    std::vector<double> offset(dims);
    while (squared > 1) {  // in the ball, or in its cube where balls are too thin to hit
      squared = 0;
      for (double& o : offset) {
        o = 2 * uniform(random) - 1;
        squared += o * o;
      }
      if (dims > 6) break;
    }
    for (std::size_t j = 0; j < dims; ++j) {
      const double middle = j % 2 == 0 ? blob * apart : (blob % 2) * apart;
      made.cloud.columns[j][i] =
          origin + (noise ? uniform(random) * apart * blobs : middle + offset[j]);
    }
  }
  return made;
}

}  // namespace clusterloom::testing
