#pragma once

#include <algorithm>
#include <cmath>

#include "render/paint/theme.h"

namespace clusterloom::testing {

/// Relative luminance of an sRGB colour (WCAG 2.2, "relative luminance").
inline double luminance(Colour colour) {
  const auto channel = [](double value) {
    const double s = value / 255;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(colour.r) + 0.7152 * channel(colour.g) + 0.0722 * channel(colour.b);
}

/// Contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
inline double contrast(Colour p, Colour q) {
  const auto [low, high] = std::minmax({luminance(p), luminance(q)});
  return (high + 0.05) / (low + 0.05);
}

/// What WCAG 2.2 asks of text (criterion 1.4.3) and of graphics that carry a meaning (1.4.11).
inline constexpr double kTextContrast = 4.5;
inline constexpr double kGraphicsContrast = 3;

}  // namespace clusterloom::testing
