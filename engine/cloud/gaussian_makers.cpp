#include <algorithm>
#include <limits>

#include "engine/cloud/point_makers.h"

namespace clusterloom {

namespace {

/// Streams that no point uses (points have 31-bit indices).
constexpr std::uint64_t kCentreStream = std::uint64_t{1} << 40;

/// A Gaussian cluster with the same spread in every dimension.
struct Blob {
  std::vector<double> centre;
  double spread;
};

double squaredDistance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/// A centre in [low, high] far from the others: the best of some drawn at random.
std::vector<double> farCentre(const std::vector<Blob>& others, std::size_t dims, double low,
                              double high, RandomStream& random) {
  constexpr int kTries = 40;
  std::vector<double> best;
  double bestGap = -1.0;
  for (int t = 0; t < kTries; ++t) {
    std::vector<double> centre(dims);
    for (double& x : centre) x = random.uniform(low, high);
    double gap = std::numeric_limits<double>::max();
    for (const Blob& other : others) gap = std::min(gap, squaredDistance(centre, other.centre));
    if (gap > bestGap) {
      bestGap = gap;
      best = std::move(centre);
    }
  }
  return best;
}

/// Points of equally likely blobs, with a fraction of noise uniform in [0, 100].
PointMaker blobMaker(std::vector<Blob> blobs, double noise) {
  return [blobs = std::move(blobs), noise](std::uint64_t, RandomStream& random,
                                           std::span<double> point) {
    if (random.uniform() < noise) {
      for (double& x : point) x = random.uniform(0.0, 100.0);
      return -1;
    }
    const std::uint32_t chosen = random.below(std::uint32_t(blobs.size()));
    const Blob& blob = blobs[chosen];
    for (std::size_t j = 0; j < point.size(); ++j)
      point[j] = blob.centre[j] + blob.spread * random.normal();
    return int(chosen);
  };
}

}  // namespace

PointMaker blobsMaker(const GeneratorSpec& spec) {
  RandomStream random(spec.seed, kCentreStream);
  std::vector<Blob> blobs;
  for (int b = 0; b < 8; ++b) {
    std::vector<double> centre = farCentre(blobs, spec.dims, 10.0, 90.0, random);
    blobs.push_back({std::move(centre), random.uniform(1.5, 3.5)});
  }
  return blobMaker(std::move(blobs), 0.04);
}

PointMaker variedMaker(const GeneratorSpec& spec) {
  RandomStream random(spec.seed, kCentreStream);
  std::vector<Blob> blobs;
  double spread = 0.4;
  for (int b = 0; b < 6; ++b) {
    std::vector<double> centre = farCentre(blobs, spec.dims, 15.0, 85.0, random);
    blobs.push_back({std::move(centre), spread});
    spread *= 1.8;
  }
  return blobMaker(std::move(blobs), 0.05);
}

}  // namespace clusterloom
