#pragma once

#include <cstdint>

#include "render/paint/theme.h"

namespace clusterloom {

/// Sequential colour maps for scalars, both of even perceptual steps and safe without red-green
/// vision.
enum class ColourMap { Viridis, Cividis };

/// The colour at t in [0, 1]; values outside are clamped, NaN gives the middle grey.
Colour mapColour(ColourMap map, double t);

/// How a scalar becomes a position on a colour map: linear or logarithmic between low and high.
struct ScalarScale {
  double low = 0;
  double high = 1;
  bool logarithmic = false;  ///< needs low > 0
  ColourMap map = ColourMap::Viridis;
};

/// The position in [0, 1] of a value on the scale (0.5 when low = high).
double positionOn(const ScalarScale& scale, double value);

}  // namespace clusterloom
