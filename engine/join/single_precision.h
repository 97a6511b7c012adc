#pragma once

#include <cmath>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/lane.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {

// Precision 32 (engine/DESIGN.md, "One predicate"; the papers' comparison is [Gowanlock 2018,
// §5.3.7]): distances are computed in float, and those that float cannot decide are decided by the
// canonical predicate.
//
// A coordinate is stored as its offset from a point nearby, because a float represents an offset of
// the length of a cell well and a coordinate in UTM metres badly. Along an indexed dimension that
// point is the middle of a block of four cells. Two points of adjacent cells are less than half a
// block apart but may lie in two blocks, and then their offsets differ by a block too much: the
// difference d is therefore folded to min(d, block − d). No lane has to know which cells it
// compares, and a row of cells is one range of candidates. Along other dimensions the point is the
// middle of the cloud, and nothing is folded.
//
// A dimension cut into slices is folded too. Where points of adjacent slices can be more than half
// a block apart, a folded difference may be too short, though never too long: it then proves pairs
// outside, and none inside.

/// How a dimension is stored.
struct OffsetColumn {
  int dimension = 0;    ///< of the cloud
  double anchor = 0;    ///< lowest coordinate of an indexed dimension, else the middle
  double side = 0;      ///< a quarter of a block: the side of a cell, or what stands for it among
                        ///< slices; 0: not indexed
  bool slices = false;  ///< blocks are counted from 0, not from `anchor`
  double low = 0;       ///< bounds of the cloud
  double high = 0;
};

/// Everything that distances in float need to know of a cloud, its grid and ε. Offsets and sums are
/// in units of 1/scale, a power of two, so that no ε is too small or too large for a float.
struct SinglePrecision {
  std::vector<OffsetColumn> columns;  ///< in the order in which distances add them
  std::vector<float> blocks;          ///< length of a block for each; +∞: nothing is folded
  double scale = 1;
  float acceptBelow = 0;  ///< a sum ≤ this is certainly inside …
  float rejectAbove = 0;  ///< … and one > this certainly outside; between, the predicate decides
  double band = 0;        ///< half the width of the band between, as a fraction of ε²
};

/// Where the band is wider than this, precision 32 is not worth it and 64 bits are used.
inline constexpr double kWidestBand = 0.01;

/// Derives all of it; the proof of the band is in single_precision.cpp. `order` names every
/// dimension of the cloud, in the order in which distances add them; empty: the cloud's own. `band`
/// may be anything, even NaN, where offsets are useless: the rest may be used if `band <=
/// kWidestBand`.
SinglePrecision singlePrecisionFor(const CellGeometry& geometry, const Bounds& bounds, double eps,
                                   const std::vector<int>& order);

/// The offset that is stored for coordinate x.
CLUSTERLOOM_LANE float offsetOf(const OffsetColumn& column, double scale, double x) {
  if (column.slices) {
    double y = std::fmod(x, 4.0 * column.side);  // exact, however far x is from 0
    if (y < 0) y += 4.0 * column.side;
    return float((y - 2.0 * column.side) * scale);
  }
  double y = x - column.anchor;
  if (column.side > 0) {
    const double block = std::floor(y / (4.0 * column.side));
    y -= (4.0 * block + 2.0) * column.side;
  }
  return float(y * scale);
}

/// The same for a query of another cloud. The proof of the band needs coordinates within the bounds
/// of the indexed cloud. Elsewhere the offset is NaN: then so is every sum with it, which compares
/// false with both ends of the band, and the predicate decides.
CLUSTERLOOM_LANE float queryOffsetOf(const OffsetColumn& column, double scale, double x) {
  if (x < column.low || x > column.high) return NAN;
  return offsetOf(column, scale, x);
}

/// The length of the difference of two offsets, folded into half a block.
CLUSTERLOOM_LANE float foldedDifference(float a, float b, float block) {
  const float straight = std::fabs(a - b);
  const float around = block - straight;
#ifdef __CUDA_ARCH__
  return fminf(straight, around);  // one instruction there, and a call of a function here
#else
  return around < straight ? around : straight;
#endif
}

/// sum + d², fused where that is one instruction: the band covers both.
CLUSTERLOOM_LANE float addSquare(float sum, float d) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(d, d, sum);
#else
  return sum + d * d;
#endif
}

}  // namespace clusterloom
