#pragma once

namespace clusterloom {

// Functions whose bits are the same on every machine. std::log, std::sin and similar functions
// differ in the last digit between C libraries; these use nothing but +, −, ×, ÷, which IEEE 754
// rounds correctly everywhere (the build neither fuses nor reorders them). They are accurate to a
// few units in the last place, which suffices for generated clouds.

/// Natural logarithm of a positive, finite, normal number.
double plainLog(double x);

/// Cosine and sine of one angle.
struct CosSin {
  double cos;
  double sin;
};

/// Cosine and sine of an angle given in turns (1 is a full circle), for |turns| < 2^50.
CosSin plainCosSin(double turns);

}  // namespace clusterloom
