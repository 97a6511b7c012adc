#include "engine/cloud/plain_math.h"

#include <cfloat>
#include <cmath>

namespace clusterloom {

// Intermediate results wider than double (x87) would change the bits.
static_assert(FLT_EVAL_METHOD == 0, "generated clouds need plain double arithmetic");

double plainLog(double x) {
  // x = m · 2^e with m in [√½, √2); log m = 2 artanh((m − 1)/(m + 1)) = 2 (s + s³/3 + s⁵/5 + …),
  // |s| < 0.1716, so twelve terms leave less than 2^-60.
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // exact
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double square = s * s;
  double sum = 0.0;
  for (int odd = 23; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
  return exponent * 0.69314718055994530942 + 2.0 * s * sum;
}

namespace {

/// Taylor series for |x| ≤ π/4, where nine terms leave less than 2^-60.
CosSin cosSinOfSmall(double x) {
  const double square = x * x;
  double cosine = 1.0;
  double sine = 1.0;
  for (int i = 9; i >= 1; --i) {
    cosine = 1.0 - square / ((2.0 * i - 1.0) * (2.0 * i)) * cosine;
    sine = 1.0 - square / ((2.0 * i) * (2.0 * i + 1.0)) * sine;
  }
  return {cosine, x * sine};
}

}  // namespace

CosSin plainCosSin(double turns) {
  const double quarters = turns * 4.0;                // exact
  const double nearest = std::floor(quarters + 0.5);  // the quarter turn to rotate by
  const double rest = quarters - nearest;             // exact, in [−½, ½]
  const CosSin small = cosSinOfSmall(rest * 1.57079632679489661923);
  const double cycles = std::floor(nearest * 0.25);
  const int quadrant = int(nearest - 4.0 * cycles);
  switch (quadrant) {
    case 0: return small;
    case 1: return {-small.sin, small.cos};
    case 2: return {-small.cos, -small.sin};
    default: return {small.sin, -small.cos};
  }
}

}  // namespace clusterloom
