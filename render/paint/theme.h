#pragma once

#include <cstdint>

namespace clusterloom {

/// An opaque sRGB colour.
struct Colour {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// Whether the background is dark or light.
enum class Background { Dark, Light };

/// The colours of everything that is not data, for one background. Scenes and charts take all their
/// colours from here, so that they look consistent.
struct Theme {
  Colour ground;     ///< background (top of the gradient in scenes)
  Colour groundLow;  ///< bottom of the gradient in scenes
  Colour text;       ///< titles and numbers
  Colour faintText;  ///< units, empty-state text
  Colour line;       ///< axes
  Colour faintLine;  ///< grid lines
  Colour accent;     ///< draggable and selected parts
  Colour series[3];  ///< curves of a chart, distinguishable without colour vision
};

/// The theme of a background.
const Theme& themeOf(Background background);

}  // namespace clusterloom
