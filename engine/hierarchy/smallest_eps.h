#pragma once

#include <cmath>
#include <limits>

namespace clusterloom {

/// The smallest ε whose rounded square is ≥ `squared`: the first ε within which a pair at this
/// canonical squared distance lies. The root itself where it is not finite, or the square is not
/// normal.
inline double smallestEps(double squared) {
  double eps = std::sqrt(squared);
  if (!std::isfinite(eps) || squared < std::numeric_limits<double>::min()) return eps;
  while (eps * eps < squared) eps = std::nextafter(eps, std::numeric_limits<double>::infinity());
  for (double below = std::nextafter(eps, 0.0); below * below >= squared;
       below = std::nextafter(eps, 0.0)) {
    eps = below;
  }
  return eps;
}

}  // namespace clusterloom
