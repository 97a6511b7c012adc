#include <cmath>

#include "engine/cloud/plain_math.h"
#include "engine/cloud/point_makers.h"

namespace clusterloom {

namespace {

void jitter(RandomStream& random, std::span<double> point, double spread) {
  for (double& x : point) x += spread * random.normal();
}

}  // namespace

PointMaker moonsMaker(const GeneratorSpec&) {
  return [](std::uint64_t, RandomStream& random, std::span<double> point) {
    const bool lower = random.below(2) == 1;
    const CosSin angle = plainCosSin(0.5 * random.uniform());
    for (double& x : point) x = 0.0;
    point[0] = lower ? 1.0 - angle.cos : angle.cos;
    point[1] = lower ? 0.5 - angle.sin : angle.sin;
    jitter(random, point, 0.06);
    return lower ? 1 : 0;
  };
}

PointMaker ringsMaker(const GeneratorSpec&) {
  return [](std::uint64_t, RandomStream& random, std::span<double> point) {
    // Points in proportion to the radius, which gives even density on circles.
    const std::uint32_t draw = random.below(6);
    const int ring = draw < 1 ? 0 : draw < 3 ? 1 : 2;
    double square = 0.0;
    for (double& x : point) {
      x = random.normal();
      square += x * x;
    }
    // Normal draws are all 0 only with probability 0; then (1, 0, …) is used.
    if (square == 0.0) square = point[0] = 1.0;
    const double stretch = (ring + 1) / std::sqrt(square);
    for (double& x : point) x *= stretch;
    jitter(random, point, 0.06);
    return ring;
  };
}

PointMaker spiralMaker(const GeneratorSpec&) {
  return [](std::uint64_t, RandomStream& random, std::span<double> point) {
    const std::uint32_t arm = random.below(3);
    const double along = std::sqrt(random.uniform());  // denser outside, where the arm is longer
    const double radius = 1.0 + 9.0 * along;
    const CosSin angle = plainCosSin(1.25 * along + arm / 3.0);
    point[0] = radius * angle.cos;
    point[1] = radius * angle.sin;
    if (point.size() > 2) point[2] = 8.0 * along;
    jitter(random, point, 0.15);
    return int(arm);
  };
}

}  // namespace clusterloom
