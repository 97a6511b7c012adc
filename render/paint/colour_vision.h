#pragma once

#include "render/paint/theme.h"

namespace clusterloom {

/// Kinds of colour vision.
enum class Vision { Normal, Protanopia, Deuteranopia, Tritanopia };

/// A colour in Ottosson's OKLab (2020): Euclidean distances approximate perceived differences.
struct OkLab {
  double lightness = 0;  ///< 0 black, 1 white
  double a = 0;          ///< green to red
  double b = 0;          ///< blue to yellow
};

/// sRGB to OKLab as seen with it (Machado, Oliveira and Fernandes 2009, severity 1).
OkLab seen(Colour colour, Vision vision);

/// The relative luminance of WCAG 2.2: 0 black, 1 white.
double luminanceOf(Colour colour);

/// OKLab to the nearest sRGB colour; out-of-gamut channels are clamped.
Colour toColour(const OkLab& lab);

/// Whether an OKLab colour lies inside sRGB.
bool inGamut(const OkLab& lab);

/// Euclidean distance in OKLab, squared.
inline double squaredDistance(const OkLab& p, const OkLab& q) {
  const double lightness = p.lightness - q.lightness;
  const double a = p.a - q.a;
  const double b = p.b - q.b;
  return lightness * lightness + a * a + b * b;
}

/// The colour a fraction t of the way from p to q, mixed in OKLab.
Colour mix(Colour p, Colour q, double t);

}  // namespace clusterloom
