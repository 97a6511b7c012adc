#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "engine/cloud/borrowed_cloud.h"
#include "engine/cloud/point_cloud.h"
#include "engine/core/predicate.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/product/product_reach.h"

namespace clusterloom {

/// Points of a leaf: the rows and the columns of one tile of products.
inline constexpr std::size_t kTilePoints = 64;
/// Points whose coordinates stand together in memory, so that one instruction reads the same two
/// coordinates of all of them.
inline constexpr std::size_t kPanelPoints = 16;

/// At most 64 points that are near each other. Lengths are in the units of the rounded coordinates.
struct RoundedLeaf {
  std::uint32_t first = 0;  ///< position of its first point
  std::uint32_t count = 0;  ///< of points; the rest of its tile is zero
  double error = 0;         ///< largest rounding distance of its points, rounded up
  double radius = 0;        ///< no rounded point is further from the centre, rounded up
};

/// What the points of all clouds of a join are rounded by.
struct Rounding {
  std::vector<double> centre;
  double scale = 0;  ///< 0 where coordinates span more than a double can hold
};

/// Points of a cloud rounded to integers of 16 bits, for exact inner products. A point x becomes
/// q = round(s·(x − c)) with one centre c and one scale s for the whole cloud. The scale is such
/// that ‖q‖ < 23170: squared norms and inner products of any two points are then less than 2²⁹ in
/// magnitude, and squared distances fit into 32 bits, whatever the order of summation. ‖s·(x − c) −
/// q‖ ≤ error of the point's leaf.
///
/// Leaves hold points that are near each other: the cloud is divided by projections on the line
/// between two distant points, at a wide gap or in the middle, until 64 points are left.
struct RoundedPoints {
  std::size_t dims = 0;
  std::size_t pairsOfDims = 0;  ///< pairs of coordinates of a row, the last one padded with zero
  Rounding rounding;            ///< c and s
  std::vector<std::uint32_t> pointIds;  ///< by position
  /// [leaf][panel of 16 points][pair of dims][point][2]; empty where LeafPanels makes them.
  std::vector<std::int16_t> panels;
  std::size_t panelValues = 0;      ///< of roundPoints
  std::vector<std::int32_t> norms;  ///< ‖q‖², [leaf][64]
  std::vector<RoundedLeaf> leaves;
  std::vector<float> centres;  ///< of leaves: [leaf][dims]
  PointRows exact;             ///< the coordinates themselves, by point: the cloud's rows, or …
  std::unique_ptr<double[]> rows;  ///< … a copy, where it does not borrow rows

  /// Values of `panels` for each leaf.
  std::size_t leafSize() const { return kTilePoints * 2 * pairsOfDims; }
  /// The coordinates of the point at a position: floats where exact.single, else doubles.
  const void* rowOf(std::size_t position) const {
    return exact.first + std::ptrdiff_t(pointIds[position]) * exact.stride;
  }
};

/// The canonical squared distance (engine/core/predicate.h) of the points at position p of a and at
/// position q of b, which have the same dimensions.
inline double canonicalSquaredDistance(const RoundedPoints& a, std::size_t p,
                                       const RoundedPoints& b, std::size_t q) {
  const auto of = [&](auto* x, auto* y) {
    return canonicalSquaredDistance(
        a.dims, [x](std::size_t j) { return double(x[j]); },
        [y](std::size_t j) { return double(y[j]); });
  };
  const void* const x = a.rowOf(p);
  const void* const y = b.rowOf(q);
  using Float = const float*;
  using Double = const double*;
  if (a.exact.single) return b.exact.single ? of(Float(x), Float(y)) : of(Float(x), Double(y));
  return b.exact.single ? of(Double(x), Float(y)) : of(Double(x), Double(y));
}

/// The scale for points of which none is further than `norm` from the centre; 0 for +∞.
double scaleOfNorm(double norm, std::size_t dims);
/// No two rounded points are further from each other.
inline constexpr double kLargestRoundedDistance = 2 * 23170.0;
/// For the points of valid clouds of equal dimensions. Without a meaning after a stop, which
/// roundPoints then says.
Rounding roundingFor(std::span<const PointCloud* const> clouds, const Task& task);

/// Bytes that roundPoints allocates at most, with panels.
std::uint64_t roundedPeakBytes(const PointCloud& cloud);

/// Rounds the points of a valid cloud, in parallel. Panels are kept where they have at most
/// `panelValues` values. Memory: 1/16 of a byte for each coordinate, up to 4 more for panels, and 8
/// more where the cloud does not borrow rows; borrowed rows must stay as long as the result.
/// Cancelled.
Result<RoundedPoints> roundPoints(
    const PointCloud& cloud, const Rounding& rounding, const Task& task,
    std::size_t panelValues = std::numeric_limits<std::size_t>::max());

/// The number of leaves whose panels have room at once: all if they are kept, else as many as have
/// `panelValues` values, and at least an eighth, since making those of a leaf takes about as long
/// as multiplying it with another one.
std::size_t panelsAtOnce(const RoundedPoints& points);

/// The panels of up to `leaves` leaves that follow each other: those that the points keep, else
/// made when they are asked for first. Threads may ask for different leaves of them, and all for
/// those that are there.
class LeafPanels {
 public:
  /// `points` must outlive it.
  LeafPanels(const RoundedPoints& points, std::size_t leaves);
  /// Valid until one is asked for that is `leaves` away.
  const std::int16_t* of(std::size_t leaf);

 private:
  struct Room {
    std::size_t leaf;
    std::vector<std::int16_t> values;
  };
  const RoundedPoints& points_;
  std::vector<Room> rooms_;
};

/// A leaf of the points of a join.
struct LeafOf {
  const RoundedPoints& points;
  std::size_t number;
  const RoundedLeaf& leaf() const { return points.leaves[number]; }
};

/// What decides the pairs of two leaves (engine/product/product_reach.h).
TileReach tileReach(const LeafOf& a, const LeafOf& b, double eps);

/// In units of the rounded coordinates: no two rounded points of the leaves that are within ε are
/// further apart.
double reachOut(const LeafOf& a, const LeafOf& b, double eps);

/// No two rounded points of the leaves are nearer, by the balls around them; may be negative.
double leastDistance(const LeafOf& a, const LeafOf& b);

}  // namespace clusterloom
