#include "render/paint/ticks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace clusterloom {
namespace {

constexpr int kShortDigits = 6;
constexpr int kOnlyDigits = 12;  // of the number of an axis that shows no other

// Not printf, which follows the process's locale.
std::string formatted(std::chars_format format, int digits, double value) {
  std::array<char, 400> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(),
                                     value == 0 ? 0.0 : value, format, digits);
  return {text.data(), written.ptr};
}

/// In groups of three digits.
std::string grouped(std::string number) { return withSigns(std::move(number), Groups::Thousands); }

std::string ungrouped(std::string number) { return withSigns(std::move(number), Groups::None); }

/// Decimals that show the first digit of a number above 0.
int decimalsOf(double number) { return std::max(0, -int(std::floor(std::log10(number) + 1e-9))); }

/// Whether numbers are written without an exponent.
bool isPlain(int decimals, double largest) { return decimals <= 5 && largest < 1e9; }

/// Texts that distinguish values `step` apart.
std::vector<std::string> labelsFor(const std::vector<double>& values, double step) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const int decimals = decimalsOf(step);
  const bool plain = isPlain(decimals, largest);
  const int digits = largest > 0 ? std::clamp(int(std::floor(std::log10(largest) + 1e-9) -
                                                  std::floor(std::log10(step) + 1e-9)),
                                              0, 17)
                                 : 0;
  std::vector<std::string> labels;
  labels.reserve(values.size());
  for (const double value : values)
    labels.push_back(plain ? grouped(formatted(std::chars_format::fixed, decimals, value))
                     : value == 0
                         ? "0"
                         : ungrouped(formatted(std::chars_format::scientific, digits, value)));
  return labels;
}

/// Texts of ascending numbers above 0 with one digit other than 0 (0.002, 50).
std::vector<std::string> logLabelsFor(const std::vector<double>& values) {
  const bool plain = isPlain(decimalsOf(values.front()), values.back());
  std::vector<std::string> labels;
  labels.reserve(values.size());
  for (const double value : values)
    labels.push_back(plain ? grouped(formatted(std::chars_format::fixed, decimalsOf(value), value))
                           : formatted(std::chars_format::scientific, 0, value));
  return labels;
}

}  // namespace

Ticks ticksWithin(double low, double high, int most) {
  const double range = high - low;
  const double finest = std::max(std::abs(low), std::abs(high)) * 1e-14;
  const Ticks only{{low}, {grouped(formatted(std::chars_format::general, kOnlyDigits, low))}};
  if (!(range > finest) || !std::isfinite(range) || most < 1) return only;
  const double rough = range / most;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double multiple : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
    const double step = multiple * power;
    const double first = std::ceil(low / step - 1e-9);
    const double last = std::floor(high / step + 1e-9);
    if (last - first + 1 > most) continue;
    Ticks ticks;
    for (double k = first; k <= last; ++k) ticks.values.push_back(k * step + 0.0);  // never −0
    if (ticks.values.empty()) break;
    ticks.labels = labelsFor(ticks.values, step);
    return ticks;
  }
  return only;
}

Ticks logTicksWithin(double low, double high, int most) {
  if (!(low > 0) || !(high / low >= 10) || !std::isfinite(high))
    return ticksWithin(low, high, most);
  const int first = int(std::floor(std::log10(low)));
  const int last = int(std::ceil(std::log10(high)));
  for (const std::vector<double>& within :
       {std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}, std::vector<double>{1}}) {
    for (int stride = 1; stride <= 64; stride *= 2) {
      if (stride > 1 && within.size() > 1) break;  // thin decades out only when they hold one tick
      Ticks ticks;
      for (int decade = first; decade <= last; decade += stride) {
        for (const double digit : within) {
          const double value = digit * std::pow(10.0, decade);
          if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
          ticks.values.push_back(value);
        }
      }
      if (ticks.values.empty() || int(ticks.values.size()) > most) continue;
      ticks.labels = logLabelsFor(ticks.values);
      return ticks;
    }
  }
  return ticksWithin(low, high, most);
}

std::string shortNumber(double value) { return significantNumber(value, kShortDigits); }

std::string significantNumber(double value, int digits) {
  return ungrouped(formatted(std::chars_format::general, digits, value));
}

double roundedTo(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  // Through decimal text: a product of powers of ten would miss the nearest double.
  const std::string text = formatted(std::chars_format::scientific, digits - 1, value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

double briefKnee(double knee) {
  const double nearest = roundedTo(knee, kKneeDigits);
  if (!(nearest < knee)) return nearest;
  // Half of a unit of the last digit further the nearest number is the next one.
  const double unit = std::pow(10.0, std::floor(std::log10(knee)) + 1 - kKneeDigits);
  return roundedTo(nearest + unit, kKneeDigits);
}

double roundestWithin(double low, double high) {
  // The middle is tried: of two numbers with as many digits it is the nearer one.
  const double middle = low + (high - low) / 2;
  for (int digits = 0; digits < 17; ++digits) {
    const double rounded = roundedTo(middle, digits + 1);
    if (rounded >= low && rounded <= high) return rounded;
  }
  return middle;
}

std::string tickNumber(double value) {
  return grouped(formatted(std::chars_format::general, kShortDigits, value));
}

std::string measuredNumber(double value) {
  if (!(std::abs(value) >= 100) || !(std::abs(value) < 1e15)) return significantNumber(value, 3);
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
  return grouped(formatted(std::chars_format::fixed, 0, std::round(value / unit) * unit));
}

std::string secondsText(double seconds) {
  return seconds < kLongRun ? measuredNumber(1000 * seconds) + " ms"
                            : measuredNumber(seconds) + " s";
}

}  // namespace clusterloom
