#include "engine/cloud/point_makers.h"

namespace clusterloom {

namespace {

/// λ of the papers' exponential clouds.
constexpr double kExpoRate = 40.0;

PointMaker uniformMaker(const GeneratorSpec&) {
  return [](std::uint64_t, RandomStream& random, std::span<double> point) {
    for (double& x : point) x = random.uniform(0.0, 100.0);
    return 0;
  };
}

PointMaker exponentialMaker(const GeneratorSpec&) {
  return [](std::uint64_t, RandomStream& random, std::span<double> point) {
    for (double& x : point) x = random.exponential() / kExpoRate;
    return 0;
  };
}

/// Whether side^dims ≥ points.
bool latticeHolds(std::uint64_t side, std::size_t dims, std::uint64_t points) {
  std::uint64_t held = 1;
  for (std::size_t j = 0; j < dims && held < points; ++j) {
    if (side == 1) break;
    held *= side;  // held < points < 2^31 and side ≤ points: no overflow
  }
  return held >= points;
}

PointMaker latticeMaker(const GeneratorSpec& spec) {
  std::uint64_t side = 1;
  while (!latticeHolds(side, spec.dims, spec.points)) {
    // One dimension needs as many steps as points: do not count up to it.
    side = spec.dims == 1 ? spec.points : side + 1;
  }
  return [side](std::uint64_t index, RandomStream&, std::span<double> point) {
    for (double& x : point) {
      x = double(index % side);
      index /= side;
    }
    return 0;
  };
}

}  // namespace

const std::vector<CloudRecipe>& cloudRecipes() {
  static const std::vector<CloudRecipe> recipes = {
      {{"unif", "uniform in [0, 100] in every dimension", 1, kMaxDims}, false, uniformMaker},
      {{"expo", "exponential with rate 40 in every dimension", 1, kMaxDims},
       false,
       exponentialMaker},
      {{"blobs", "eight round Gaussian clusters in [0, 100] and 4 % uniform noise", 1, kMaxDims},
       true,
       blobsMaker},
      {{"moons", "two interleaving half circles of radius 1; further dimensions are thin", 2,
        kMaxDims},
       true,
       moonsMaker},
      {{"rings", "three concentric circles (spheres) of radius 1, 2 and 3", 2, kMaxDims},
       true,
       ringsMaker},
      {{"varied", "six Gaussian clusters, each 1.8 times as wide as the one before, and 5 % noise",
        1, kMaxDims},
       true,
       variedMaker},
      {{"lattice", "integer coordinates 0, 1, … of the smallest cube that holds the points", 1,
        kMaxDims},
       false,
       latticeMaker},
      {{"spiral", "three spiral arms; in 3-D they rise", 2, 3}, true, spiralMaker},
      {{"shapes", "clusters of many shapes and densities in [0, 100] and 8 % noise", 2, 3},
       true,
       shapesMaker},
  };
  return recipes;
}

}  // namespace clusterloom
