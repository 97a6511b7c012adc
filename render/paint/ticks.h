#pragma once

#include <string>
#include <vector>

#include "engine/core/number_text.h"

namespace clusterloom {

/// Round numbers along an axis, with their labels.
struct Ticks {
  std::vector<double> values;       ///< ascending multiples of 1, 2 or 5 · 10^m
  std::vector<std::string> labels;  ///< one per value, all with an exponent or all without
};

/// At most `most` ticks within [low, high]. A range that is empty or too narrow for doubles gets
/// one tick, at low.
Ticks ticksWithin(double low, double high, int most);

/// Ticks for a logarithmic axis: powers of ten, with 2 and 5 between where there is space; falls
/// back to ticksWithin when the range is under a factor of ten. low must be > 0.
Ticks logTicksWithin(double low, double high, int most);

/// The texts below have the signs of engine/core/number_text.h, whatever the locale of the
/// process.
///
/// A number for display: up to six significant digits, no trailing zeros, exponent only when
/// needed.
std::string shortNumber(double value);

/// A number with at most this many significant digits, an exponent only when needed.
std::string significantNumber(double value, int digits);

/// Significant digits of a suggested ε: of the knee and of the ε that new data start with.
inline constexpr int kKneeDigits = 3;

/// The nearest number with this many significant digits.
double roundedTo(double value, int digits);

/// The least number with kKneeDigits digits at or above a knee: below it no point would be core in
/// a lattice, the k-distances of which are all equal.
double briefKnee(double knee);

/// The number with the fewest significant digits between low and high (0 < low <= high): what a
/// pixel that covers this range can mean.
double roundestWithin(double low, double high);

/// A number as shortNumber with its whole part grouped ("1,234.5"): for all numbers but ε, which
/// people copy into fields.
std::string tickNumber(double value);

/// A measured number for display: three significant digits, never with an exponent below 1e15
/// ("1,230", "12.3", "0.00123").
std::string measuredNumber(double value);

/// Seconds; runs of this length and longer are shown in seconds, shorter ones in milliseconds.
inline constexpr double kLongRun = 10;

/// A measured time with its unit, milliseconds below kLongRun.
std::string secondsText(double seconds);

}  // namespace clusterloom
