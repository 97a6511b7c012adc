#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>

#include "engine/core/lane.h"
#include "engine/core/result.h"
#include "engine/core/squared_distance.h"

namespace clusterloom {

// The one predicate of every join. Two points are neighbours when the canonical squared distance is
// ≤ fl(ε·ε). Canonical means: in double, dimensions added in the cloud's own order, every
// subtraction, product and sum rounded on its own. The build compiles with -ffp-contract=off, so
// none of the products below is fused into the sum after it. Other ways of computing a distance may
// decide only pairs outside a proven band around ε² and must ask these functions inside it.

/// The canonical squared distance of two points: `a(j)` and `b(j)` give coordinate j, in the
/// cloud's own dimension order. It may overflow to +∞, which is never within ε; partial
/// sums never decrease, since rounding is monotone.
template <class CoordinateOfA, class CoordinateOfB>
CLUSTERLOOM_LANE double canonicalSquaredDistance(std::size_t dims, CoordinateOfA&& a,
                                                 CoordinateOfB&& b) {
  return squaredDistance(dims, [&](std::size_t j) { return a(j) - b(j); });
}

/// Whether a canonical squared distance is within ε, given epsSquared(ε).
CLUSTERLOOM_LANE bool withinEps(double squaredDistance, double squaredEps) {
  return squaredDistance <= squaredEps;
}

/// fl(ε·ε), the right-hand side of the predicate. BadCall unless ε is finite and > 0 and its square
/// is finite and normal (about 1.5e-154 ≤ ε ≤ 1.3e154): a subnormal square has lost the digits
/// that decide a tie.
inline Result<double> epsSquared(double eps) {
  if (!std::isfinite(eps) || !(eps > 0)) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", eps);
    return badCall(std::string("ε must be a positive, finite number, not ") + text);
  }
  const double squared = eps * eps;
  if (!std::isfinite(squared)) {
    return badCall("ε is too large: its square overflows; use an ε below 1e154 or scale the data");
  }
  if (squared < std::numeric_limits<double>::min()) {
    return badCall(
        "ε is too small: its square underflows; use an ε above 1.5e-154 or scale the data");
  }
  return squared;
}

}  // namespace clusterloom
