#include "engine/join/single_precision.h"

#include <algorithm>
#include <limits>

namespace clusterloom {
namespace {

constexpr double kDoubleRoundoff = 0x1p-53;
constexpr double kFloatRoundoff = 0x1p-24;

// The proof. Let u = 2⁻²⁴ and v = 2⁻⁵³ be the unit roundoffs of float and double, Δ_j the true
// difference of two points in dimension j, r = √ΣΔ_j², and d_j the difference as computed here.
//
// 1. An indexed dimension: side s ≥ ε, E cells, lowest coordinate o, blocks of length 4s. Let the
//    offset of x from the middle of block b be y = x − o − (4b + 2)s. The quotient that gives b is
//    off by at most 0.6vE of a block, so |y| ≤ 2s(1 + 2vE). Computed in double, y is off by at most
//    δ = v(2E + 5)s: x − o and (4b + 2)s, each rounded, are at most (E + 2)s, and their difference,
//    rounded, is y. Rounding it to float adds 2us.
//    Points in adjacent cells have |Δ| ≤ 2s(1 + 3vE), for the quotients that gave their cells are
//    less than 2 apart. Their true offsets differ by Δ + 4sz for a whole z and by at most
//    4s(1 + 2vE). If |Δ| ≤ 2s, then z is −1, 0 or 1, and of |Δ + 4sz| and 4s − |Δ + 4sz| the lesser
//    is |Δ| or −|Δ|, which squares to the same. If |Δ| is in the sliver above 2s, it is at least
//    2s(1 − 3vE) > 1.9ε: such a pair is outside, and is not taken for inside.
//    In float the straight difference is off by 4us + 2δ from its operands and by 4us from its own
//    rounding; the way around by as much again, by 4us from rounding the block's length and by 4us
//    from its own rounding. A minimum is off by no more than its operands. Hence, one us paying for
//    products of errors, |d_j − ±Δ_j| ≤ e_j = (17u + 4v(E + 3))s.
//    A dimension of slices: o is 0, and s is at least ε and half of how far points of adjacent
//    slices lie apart, so |Δ| ≤ 2s. y comes from an exact remainder, and adding 4s and taking 2s
//    away is off by at most δ = 8vs, which is E = 1 above. Where s would be long against ε, a
//    shorter one is taken and points may be further apart than 2s: then the lesser of the two
//    is the distance of Δ from the nearest multiple of 4s and no longer than |Δ|, so it still
//    proves pairs outside.
// 2. Another dimension: no offset from the middle is longer than R. In double each is off by vR, in
//    float by uR more, and their difference, at most 2R long, by 2uR: e_j = 5uR.
// 3. Underflow, whether to subnormal numbers or flushed to zero: by the scale the longest of all 2s
//    and R is between 1/2 and 1, so an offset loses at most 2⁻¹²⁶ and e_j = 2⁻¹²⁰ more pays.
// 4. By the triangle inequality √Σd_j² and r differ by at most e = √Σe_j².
// 5. The sum of n squares in float, in any order, fused or not, is off by at most (n + 1)u of
// Σd_j².
//    Squares that underflow lose 2⁻¹²⁶ each. Since e ≥ 2u, a band within 1 % of ε² has ε ≥ 2⁻¹⁶ in
//    these units, so that is nothing against uε². g = (n + 4)u pays for it, for products of errors
//    and for the arithmetic below.
// 6. The canonical sum is off by at most (n + 3)v of r², its underflows by nv of ε² (ε² is normal),
//    fl(ε²) by v of ε²: with c = (2n + 8)v, r ≤ ε(1 − c) proves a pair inside and r > ε(1 + c)
//    proves it outside.
//
// So a sum S in float proves a pair inside if S ≤ (ε(1 − c) − e)²(1 − g), for then Σd_j² ≤ (ε(1 −
// c) − e)², and outside if S > (ε(1 + c) + e)²(1 + g).

float roundedDown(double x) {
  const auto nearest = float(x);
  return double(nearest) <= x ? nearest
                              : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

float roundedUp(double x) { return -roundedDown(-x); }

// Longest offset from the middle of a dimension that is not indexed, or half a block.
double longestOffset(const OffsetColumn& column, const Bounds& bounds) {
  const auto j = std::size_t(column.dimension);
  if (column.side > 0) return 2.0 * column.side;
  return std::max(bounds.high[j] - column.anchor, column.anchor - bounds.low[j]);
}

// s of the proof for a dimension of slices whose adjacent points are at most `pairSpan` apart: a
// little more than half of that, but no more than 1.5 ε, or the errors in float would grow with it.
double quarterBlock(double pairSpan, double eps) {
  return std::clamp(pairSpan / 2 * (1 + 0x1p-20), eps, 1.5 * eps);
}

// 1/2 ≤ x · scale < 1, or as near to that as a double's exponent allows.
double scaleFor(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, -exponent);
}

}  // namespace

SinglePrecision singlePrecisionFor(const CellGeometry& geometry, const Bounds& bounds, double eps,
                                   const std::vector<int>& order) {
  SinglePrecision single;
  const int n = int(bounds.low.size());
  double longest = 0;
  bool mayAccept = true;
  for (int i = 0; i < n; ++i) {
    OffsetColumn column{.dimension = order.empty() ? i : order[std::size_t(i)]};
    const auto j = std::size_t(column.dimension);
    column.low = bounds.low[j];
    column.high = bounds.high[j];
    column.anchor = bounds.low[j] + (bounds.high[j] - bounds.low[j]) / 2;
    for (std::size_t d = 0; d < geometry.dims.size(); ++d)
      if (geometry.dims[d] == column.dimension) {
        column.slices = geometry.hasSlices(d);
        column.anchor = column.slices ? 0.0 : geometry.origin[d];
        column.side = column.slices ? quarterBlock(geometry.pairSpan[d], eps) : geometry.side[d];
        if (column.slices && geometry.pairSpan[d] > 2 * column.side) mayAccept = false;
      }
    longest = std::max(longest, longestOffset(column, bounds));
    single.columns.push_back(column);
  }
  single.scale = scaleFor(longest);

  constexpr double u = kFloatRoundoff;
  constexpr double v = kDoubleRoundoff;
  double cells = 1;
  for (std::size_t d = 0; d < geometry.dims.size(); ++d)
    if (!geometry.hasSlices(d)) cells = std::max<double>(cells, geometry.extent[d]);
  double squaredError = 0;
  for (const OffsetColumn& column : single.columns) {
    const double offset = longestOffset(column, bounds) * single.scale;
    double error = 5 * u * offset;
    float block = std::numeric_limits<float>::infinity();
    if (column.side > 0) {
      error = (17 * u + 4 * v * (cells + 3)) * (offset / 2);
      block = float(2 * offset);
    }
    error += 0x1p-120;
    squaredError += error * error;
    single.blocks.push_back(block);
  }
  const double e = std::sqrt(squaredError);
  const double g = (n + 4) * u;
  const double c = (2 * n + 8) * v;
  const double scaledEps = eps * single.scale;
  const double inside = std::max(0.0, scaledEps * (1 - c) - e);
  const double outside = scaledEps * (1 + c) + e;
  single.acceptBelow = roundedDown(inside * inside * (1 - g));
  single.rejectAbove = roundedUp(outside * outside * (1 + g));
  const double squaredEps = scaledEps * scaledEps;
  single.band =
      std::max(single.rejectAbove - squaredEps, squaredEps - single.acceptBelow) / squaredEps;
  if (!mayAccept) single.acceptBelow = -1;  // sums are not below 0: the predicate decides
  return single;
}

}  // namespace clusterloom
