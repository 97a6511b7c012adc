#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/core/lane.h"
#include "engine/core/squared_distance.h"

namespace clusterloom {

// The predicate of each metric. Two points are neighbours when their squared length, as computed
// here, is ≤ fl(ε·ε): for Euclidean distances the canonical squared distance of predicate.h. For
// the others the distance D itself is computed in double, over the dimensions in the cloud's own
// order, each difference, sum and product rounded on its own:
//
//   manhattan   D = Σ |xⱼ − yⱼ|       chebyshev   D = max |xⱼ − yⱼ|
//
// and the squared length is fl(D·D). This is the same as D ≤ ε for every ε that epsSquared permits.
// For x < y = x(1 + 2^-52 or more) with normal squares, y² − x² is above the unit in the last place
// of y²: within [1, √2) squares are in [1, 2) and differ by 2x·2^-52 ≥ 2 units, within [√2, 2) they
// are in [2, 4) and differ by 2x·2^-52 ≥ √2 units. So their roundings differ too, in the same
// order. A square that underflows belongs to a D below every such ε, one that overflows to a D
// above. Squares let searches, hierarchies and border lists compare all metrics with fl(ε·ε), and
// the rounded root of fl(D·D) is D again. Where squares underflow, below D = 1.5e-154, nearest
// neighbours and hierarchies are refused (engine/hierarchy/exact_squares.h).
//
// Rounding is monotone, so that partial sums and maxima never decrease, and differences that are
// not smaller in any dimension never give a smaller length.

/// How distances are measured.
enum class Metric : std::uint8_t {
  Euclidean,
  Cosine,     ///< 1 − cos of the angle between two points, as unit vectors (cloud/directions.h)
  Manhattan,  ///< the sum of the absolute differences
  Chebyshev,  ///< the largest absolute difference
};

/// Their names in options, files and messages, in the order of the enumeration.
inline constexpr std::array<std::string_view, 4> kMetricNames{"euclidean", "cosine", "manhattan",
                                                              "chebyshev"};

constexpr std::string_view toText(Metric metric) { return kMetricNames[std::size_t(metric)]; }

/// Whether joins and searches compute its lengths themselves: on a CPU by trees of points, on a GPU
/// by the grid. Cosine distances become Euclidean ones.
constexpr bool isTreeMetric(Metric metric) {
  return metric == Metric::Manhattan || metric == Metric::Chebyshev;
}

/// The squared length of the difference of two points, whose coordinate j is difference(j), as the
/// predicate takes it. Cosine, whose points are unit vectors, is computed as Euclidean.
template <class Index, class Difference>
CLUSTERLOOM_LANE double squaredLength(Metric metric, Index dims, const Difference& difference) {
  const bool sums = metric == Metric::Manhattan;
  if (!sums && metric != Metric::Chebyshev) return squaredDistance(dims, difference);
  double length = 0;
  for (Index j = 0; j < dims; ++j) {
    const double size = std::fabs(difference(j));
    length = sums ? length + size : size > length ? size : length;
  }
  return length * length;
}

}  // namespace clusterloom
