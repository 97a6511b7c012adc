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

/// Whether things are drawn on a dark or on a light ground.
enum class Background { Dark, Light };

/// The colours of everything that is not data, for one background. Scenes and charts take all of
/// theirs from here, so that they look like one program.
struct Theme {
  Colour ground;     ///< background (top of the gradient in scenes)
  Colour groundLow;  ///< bottom of the gradient in scenes
  Colour text;       ///< titles and numbers
  Colour faintText;  ///< units, empty-state texts
  Colour line;       ///< axes
  Colour faintLine;  ///< grid lines
  Colour accent;     ///< what the hand can drag, what is chosen
  Colour series[3];  ///< curves of a chart, distinguishable without colour vision
};

/// The theme of a background.
const Theme& themeOf(Background background);

}  // namespace clusterloom
