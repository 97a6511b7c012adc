#include <cmath>

#include "engine/cloud/plain_math.h"
#include "engine/cloud/point_makers.h"

namespace clusterloom {

namespace {

/// One shape: its share of the points in thousandths, the width of the Gaussian blur over it, and a
/// function that draws a point of it.
struct Shape {
  int share;
  double blur;
  void (*draw)(RandomStream& random, std::span<double> point);
};

void around(std::span<double> point, double x, double y, double radius, CosSin angle) {
  point[0] = x + radius * angle.cos;
  point[1] = y + radius * angle.sin;
}

/// A random direction in three dimensions.
void direction(RandomStream& random, std::span<double> point) {
  const double height = random.uniform(-1.0, 1.0);
  const CosSin angle = plainCosSin(random.uniform());
  around(point, 0.0, 0.0, std::sqrt(1.0 - height * height), angle);
  point[2] = height;
}

const std::vector<Shape>& flatShapes() {
  static const std::vector<Shape> shapes = {
      {150, 1.0,  // the upper moon
       [](RandomStream& r, std::span<double> p) {
         around(p, 24.0, 72.0, 15.0, plainCosSin(0.5 * r.uniform()));
       }},
      {150, 1.0,  // the lower moon
       [](RandomStream& r, std::span<double> p) {
         around(p, 39.0, 78.0, 15.0, plainCosSin(0.5 + 0.5 * r.uniform()));
       }},
      {190, 0.7,  // a ring
       [](RandomStream& r, std::span<double> p) {
         around(p, 76.0, 76.0, 15.0, plainCosSin(r.uniform()));
       }},
      {110, 2.2,  // a blob inside the ring
       [](RandomStream&, std::span<double> p) {
         p[0] = 76.0;
         p[1] = 76.0;
       }},
      {140, 0.8,  // a wave
       [](RandomStream& r, std::span<double> p) {
         p[0] = r.uniform(8.0, 58.0);
         p[1] = 36.0 + 6.0 * plainCosSin((p[0] - 8.0) / 25.0).sin;
       }},
      {80, 0.0,  // a bar
       [](RandomStream& r, std::span<double> p) {
         p[0] = r.uniform(8.0, 58.0);
         p[1] = r.uniform(17.0, 21.0);
       }},
      {50, 0.8,  // a small, dense blob
       [](RandomStream&, std::span<double> p) {
         p[0] = 72.0;
         p[1] = 42.0;
       }},
      {50, 3.0,  // a wide, thin one
       [](RandomStream&, std::span<double> p) {
         p[0] = 80.0;
         p[1] = 20.0;
       }},
  };
  return shapes;
}

const std::vector<Shape>& solidShapes() {
  static const std::vector<Shape> shapes = {
      {200, 0.8,  // a helix
       [](RandomStream& r, std::span<double> p) {
         const double along = r.uniform();
         around(p, 25.0, 25.0, 13.0, plainCosSin(3.0 * along));
         p[2] = 10.0 + 80.0 * along;
       }},
      {240, 0.5,  // a sphere
       [](RandomStream& r, std::span<double> p) {
         direction(r, p);
         p[0] = 72.0 + 17.0 * p[0];
         p[1] = 72.0 + 17.0 * p[1];
         p[2] = 68.0 + 17.0 * p[2];
       }},
      {110, 2.5,  // a blob inside the sphere
       [](RandomStream&, std::span<double> p) {
         p[0] = 72.0;
         p[1] = 72.0;
         p[2] = 68.0;
       }},
      {200, 1.2,  // a torus
       [](RandomStream& r, std::span<double> p) {
         const CosSin tube = plainCosSin(r.uniform());
         around(p, 70.0, 25.0, 17.0 + 4.0 * tube.cos, plainCosSin(r.uniform()));
         p[2] = 25.0 + 4.0 * tube.sin;
       }},
      {120, 0.4,  // a tilted plate
       [](RandomStream& r, std::span<double> p) {
         p[0] = r.uniform(8.0, 42.0);
         p[1] = r.uniform(58.0, 92.0);
         p[2] = 30.0 + 0.4 * (p[0] - 25.0);
       }},
      {50, 1.5,  // a small blob
       [](RandomStream&, std::span<double> p) {
         p[0] = 25.0;
         p[1] = 75.0;
         p[2] = 80.0;
       }},
  };
  return shapes;
}

}  // namespace

PointMaker shapesMaker(const GeneratorSpec& spec) {
  const std::vector<Shape>& shapes = spec.dims == 2 ? flatShapes() : solidShapes();
  return [&shapes](std::uint64_t, RandomStream& random, std::span<double> point) {
    int ticket = int(random.below(1000));
    int component = 0;
    for (const Shape& shape : shapes) {
      if (ticket < shape.share) {
        shape.draw(random, point);
        for (double& x : point) x += shape.blur * random.normal();
        return component;
      }
      ticket -= shape.share;
      ++component;
    }
    for (double& x : point) x = random.uniform(0.0, 100.0);
    return -1;
  };
}

}  // namespace clusterloom
