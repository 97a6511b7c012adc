#pragma once

#include <cmath>
#include <cstdint>

#include "engine/core/infinity.h"
#include "engine/core/lane.h"

namespace clusterloom {

// Why a rounded distance decides. Let u = 2⁻⁵³, D = s·‖x − y‖, and d̂ the distance of the rounded
// points, whose square is an exact integer. By the triangle inequality |D − d̂| ≤ δx + δy.
//
// The predicate's sum has n differences, squares and n − 1 additions, each rounded on its own: it
// is ‖x − y‖²·(1 + θ) + τ with |θ| ≤ (n + 3)·u, and τ ≤ n·2⁻¹⁰⁷⁵ for squares that underflow, which
// is less than n·u·ε² since ε² is normal. It is compared with ε²·(1 ± u). With η = (n + 8)·2⁻⁵¹, ‖x
// − y‖ > ε·(1 + η) therefore fails the predicate and ‖x − y‖ ≤ ε·(1 − η) passes it. So
//   d̂ > s·ε·(1 + η) + δx + δy proves a pair outside, d̂ ≤ s·ε·(1 − η) − δx − δy proves it inside.
// The right-hand sides are computed in double with a margin of 2⁻⁴⁰ for their own rounding. Nothing
// of this depends on how many bits the rounded coordinates have.
//
// CPUs and GPUs compile the functions below.

/// For the rounding of a bound, or of a sum of up to 4,096 squares, in double.
inline constexpr double kReachMargin = 0x1p-40;

/// What decides the pairs of two sets of points for one ε: of a squared distance of rounded points
/// that is more than `outside` the pair is not within ε, of one that is at most `inside` it is.
/// Between them the predicate decides.
struct TileReach {
  std::int32_t outside = 0;
  std::int32_t inside = -1;
};

/// ε in units of rounded coordinates.
struct ScaledEps {
  double outer = 0;    ///< s·ε·(1 + η)
  double inner = 0;    ///< s·ε·(1 − η)
  double largest = 0;  ///< no two rounded points are further apart; its square is below 2³¹
};

CLUSTERLOOM_LANE ScaledEps scaledEps(double scale, double eps, std::uint64_t dims, double largest) {
  const double relative = double(dims + 8) * 0x1p-51;
  return {scale * eps * (1 + relative), scale * eps * (1 - relative), largest};
}

/// No two rounded points that are within ε are further apart. `errors`: the sum of the largest
/// rounding distances of both, +∞ where points were not rounded.
CLUSTERLOOM_LANE double outerReach(const ScaledEps& eps, double errors) {
  return (eps.outer + errors) * (1 + kReachMargin);
}

/// Squares that underflow are missing in rounding distances: two points of 4,096 dimensions may
/// have moved by up to 2⁻⁵³⁰ that nobody knows of. A bound far above it is not reached by that; one
/// below proves nothing.
inline constexpr double kLeastInner = 0x1p-500;

CLUSTERLOOM_LANE TileReach tileReach(const ScaledEps& eps, double errors) {
  double outer = outerReach(eps, errors);
  double inner = (eps.inner - errors) * (1 - kReachMargin);
  if (eps.largest < outer) outer = eps.largest;
  if (eps.largest < inner) inner = eps.largest;
  TileReach reach;
  reach.outside = std::int32_t(outer * outer * (1 + kReachMargin));
  if (inner > kLeastInner) reach.inside = std::int32_t(inner * inner * (1 - kReachMargin));
  return reach;
}

// Nearest neighbours. Let S be the canonical squared distance of the last neighbour found so far. A
// point at a canonical squared distance of at most S has ‖x − y‖² ≤ (S + n·2⁻¹⁰⁷⁵)/(1 − (n + 3)·u),
// so that ‖x − y‖ ≤ D·(1 + η) with D = √S + 2⁻⁵³⁰, which is more than √S + √(n·2⁻¹⁰⁷⁵) for n ≤
// 4,096. Its rounded point is therefore at d̂ ≤ s·D·(1 + η) + δx + δy. What is further cannot come
// before the last neighbour, nor be as far as it: ties are among those that are left.

/// Squares that underflow lose at most n·2⁻¹⁰⁷⁵ of a sum; this is more than the root of that.
inline constexpr double kUnderflow = 0x1p-530;

/// s·D·(1 + η) for the squared distance of the last neighbour; +∞ for one of +∞, and where points
/// were not rounded (scale 0).
CLUSTERLOOM_LANE double nearestOuter(double scale, double squaredLast, std::uint64_t dims) {
  if (scale == 0) return kInfinity;
  return scale * (std::sqrt(squaredLast) + kUnderflow) * (1 + double(dims + 8) * 0x1p-51);
}

/// No neighbour's rounded point is at a larger squared distance. `errors`: the sum of the largest
/// rounding distances of both; `largest`: no two rounded points are further apart, its square is
/// below 2³¹.
CLUSTERLOOM_LANE std::int32_t nearestReach(double outer, double errors, double largest) {
  const double reach = (outer + errors) * (1 + kReachMargin);
  const double bounded = reach < largest ? reach : largest;
  return std::int32_t(bounded * bounded * (1 + kReachMargin));
}

/// The nearest integer of scale·(x − centre), below 2⁵¹ in magnitude. Adds the square of how far it
/// moved to `squaredError`.
CLUSTERLOOM_LANE std::int32_t roundedCoordinate(double x, double centre, double scale,
                                                double& squaredError) {
  // Adding and subtracting it rounds numbers below 2⁵¹ to the nearest integer.
  constexpr double kRound = 0x1.8p52;
  const double value = (x - centre) * scale;
  const double nearest = (value + kRound) - kRound;
  // value − nearest is exact; the difference and the product were rounded before.
  const double moved = value - nearest;
  const double error = (moved < 0 ? -moved : moved) + (value < 0 ? -value : value) * 0x1p-51;
  squaredError += error * error;
  return std::int32_t(nearest);
}

// Coordinates of bytes, for matrix units: |q| ≤ 127, so that inner products and squared norms are
// at most 4,096·127² < 2²⁷. The sum of a product begins with half of what the pair has left; its
// sign then is the answer: ‖x‖² + ‖y‖² − 2·x·y ≤ r ⇔ x·y + ⌊(r − ‖x‖² − ‖y‖²)/2⌋ ≥ 0.

inline constexpr std::int32_t kLargestByte = 127;
/// No two points of bytes are further apart.
CLUSTERLOOM_LANE double largestDistanceOfBytes(std::uint64_t dims) {
  return 2 * kLargestByte * std::sqrt(double(dims)) + 1;
}
/// The norm of a place without a point: no pair of it is near.
inline constexpr std::int32_t kNormOfNobody = 1 << 29;

CLUSTERLOOM_LANE std::int32_t startOfProduct(std::int32_t outside, std::int32_t normX,
                                             std::int32_t normY) {
  return (outside - normX - normY) >> 1;
}

/// A sum of at least this proves the pair inside, whatever the norms.
CLUSTERLOOM_LANE std::int32_t certainSum(const TileReach& reach) {
  return reach.inside < 0 ? 0x7fffffff : (reach.outside - reach.inside + 1) / 2;
}

// Coordinates of 16 bits as two bytes, q = 256·h + l, for matrix units: x·y = 256·(256·h·h' + h·l'
// + l·h') + l·l'. Squared norms are below kNormOfNobody (RoundedPoints). With c = partOfColumn, a
// part of −‖y‖²/2 rounded up, and r = partOfRow, which is of (outside − ‖x‖²)/2, the sum
//   256·(h·h' + c) + r + h·l' + l·h'
// is not negative if the pair may be near: r has slackOfLowBytes added, 1/256 of the largest
// |l·l'|. Then 256 times that, with restOfColumn and l·l', is at least v = (outside − ‖x − y‖²)/2
// and less than v + 257.

/// Up to these dimensions a GPU finds the pairs within ε by products of words: they take no more
/// than twice the time of products of bytes, which leave far more pairs open.
inline constexpr std::uint64_t kWordDims = 32;

/// The lower byte of a 16-bit coordinate, −128 … 127; the rest is a multiple of 256.
CLUSTERLOOM_LANE std::int32_t lowByte(std::int32_t word) { return ((word + 128) & 255) - 128; }
CLUSTERLOOM_LANE std::int32_t highByte(std::int32_t word) { return (word - lowByte(word)) / 256; }

/// What the parts of a point are made of, from its squared norm.
CLUSTERLOOM_LANE std::int32_t startOfWords(std::int32_t norm) {
  return norm == kNormOfNobody ? -(1 << 30) : -(norm >> 1);
}
CLUSTERLOOM_LANE std::int32_t slackOfLowBytes(std::uint64_t dims) {
  return 64 * std::int32_t(dims);
}
CLUSTERLOOM_LANE std::int32_t partOfRow(std::int32_t outside, std::int32_t start,
                                        std::uint64_t dims) {
  return ((outside + 2 * start + 511) >> 9) + slackOfLowBytes(dims);
}
CLUSTERLOOM_LANE std::int32_t partOfColumn(std::int32_t start) { return (start + 65535) >> 16; }
CLUSTERLOOM_LANE std::int32_t restOfColumn(std::int32_t start, std::uint64_t dims) {
  return start - partOfColumn(start) * 65536 - 256 * slackOfLowBytes(dims);
}
/// A sum of words of at least this proves the pair inside.
CLUSTERLOOM_LANE std::int32_t certainSumOfWords(const TileReach& reach) {
  return reach.inside < 0 ? 0x7fffffff : (reach.outside - reach.inside + 1) / 2 + 257;
}

/// No point of 16-bit coordinates was moved further by rounding.
CLUSTERLOOM_LANE double largestErrorOfWords(double scale, std::uint64_t dims) {
  if (scale == 0) return kInfinity;
  return (0.5 + 0x1p-36) * std::sqrt(double(dims)) * (1 + kReachMargin);
}

// Spanning trees. The weight W of an edge is the largest of the canonical squared distance and both
// squared core distances C. Let the heaviness h of a pair be the largest of d̂²/2, rounded up, and
// of (s·√C)²/2 of both, rounded down. Then √(2·h − 1) is at most d̂, and so at most the reach of
// neighbours at W and both rounding distances, or at most s·√C, and so at most that reach. An edge
// of which √(2·h − 1) is more than that is heavier than W.

/// The part of a squared core distance, less than `most`.
CLUSTERLOOM_LANE std::int32_t heavinessOfCore(double scale, double squaredCore, std::int32_t most) {
  if (scale == 0) return 0;
  const double reach = scale * std::sqrt(squaredCore);
  const double half = 0.5 * reach * reach * (1 - kReachMargin);
  return half < most - 1 ? std::int32_t(half) : most - 1;
}

/// The core distances of an edge below the weight of nearestOuter `outer` are not heavier.
CLUSTERLOOM_LANE std::int32_t limitOfHeaviness(double outer, std::int32_t most) {
  const double half = 0.5 * outer * outer * (1 + kReachMargin) + 1;
  return half < most ? std::int32_t(half) : most;
}

/// √(2·h − 1), or 0. To be compared with outerReach.
CLUSTERLOOM_LANE double leastOfHeaviness(std::uint32_t heaviness) {
  return heaviness == 0 ? 0 : std::sqrt(2.0 * heaviness - 1) * (1 - kReachMargin);
}

}  // namespace clusterloom
