#pragma once

#include "render/paint/theme.h"

namespace clusterloom {

/// Colour maps for scalars, all readable with protanopia, deuteranopia and tritanopia: lightness
/// only rises, and neighbouring sixteenths look different. BlueRed is diverging: its middle is
/// white.
enum class ColourMap { Viridis, Cividis, Plasma, Magma, Grey, BlueRed };
inline constexpr int kColourMaps = int(ColourMap::BlueRed) + 1;

/// The colour at t in [0, 1]; values outside are clamped, NaN gives the middle grey.
Colour mapColour(ColourMap map, double t);

/// How a scalar becomes a position on a colour map: linear or logarithmic between low and high.
struct ScalarScale {
  double low = 0;
  double high = 1;
  bool logarithmic = false;  ///< needs low > 0
  ColourMap map = ColourMap::Viridis;
  /// Instead of the map: the higher, the more a colour stands out from the ground. No cluster has
  /// such a colour.
  bool fromGround = false;
};

/// The position in [0, 1] of a value on the scale (0.5 when low = high).
double positionOn(const ScalarScale& scale, double value);

/// The colour at a position in [0, 1] of the scale.
Colour colourOn(const ScalarScale& scale, double position, const Theme& theme);

}  // namespace clusterloom
