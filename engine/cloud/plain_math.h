#pragma once

namespace clusterloom {

// Functions whose bits are the same on every machine. std::log, std::sin and their like differ in
// the last digit from one C library to the next; these use nothing but +, −, ×, ÷, which IEEE 754
// rounds correctly everywhere (the build neither fuses nor reorders them). They are good to a few
// units in the last place, which is all that a generated cloud needs.

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
