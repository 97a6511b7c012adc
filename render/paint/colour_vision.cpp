#include "render/paint/colour_vision.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterloom {
namespace {

using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>;

// Linear sRGB to the cone responses of OKLab, cone responses to OKLab, and both inverses.
constexpr Matrix3 kRgbToCones{{{0.4122214708, 0.5363325363, 0.0514459929},
                               {0.2119034982, 0.6806995451, 0.1073969566},
                               {0.0883024619, 0.2817188376, 0.6299787005}}};
constexpr Matrix3 kConesToLab{{{0.2104542553, 0.7936177850, -0.0040720468},
                               {1.9779984951, -2.4285922050, 0.4505937099},
                               {0.0259040371, 0.7827717662, -0.8086757660}}};
constexpr Matrix3 kLabToCones{{{1.0, 0.3963377774, 0.2158037573},
                               {1.0, -0.1055613458, -0.0638541728},
                               {1.0, -0.0894841775, -1.2914855480}}};
constexpr Matrix3 kConesToRgb{{{4.0767416621, -3.3077115913, 0.2309699292},
                               {-1.2684380046, 2.6097574011, -0.3413193965},
                               {-0.0041960863, -0.7034186147, 1.7076147010}}};
// What linear sRGB looks like without L, M or S cones.
constexpr Matrix3 kProtanopia{{{0.152286, 1.052583, -0.204868},
                               {0.114503, 0.786281, 0.099216},
                               {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix3 kDeuteranopia{{{0.367322, 0.860646, -0.227968},
                                 {0.280085, 0.672501, 0.047413},
                                 {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix3 kTritanopia{{{1.255528, -0.076749, -0.178779},
                               {-0.078411, 0.930809, 0.147602},
                               {0.004733, 0.691367, 0.303900}}};

const Matrix3& without(Vision vision) {
  return vision == Vision::Protanopia     ? kProtanopia
         : vision == Vision::Deuteranopia ? kDeuteranopia
                                          : kTritanopia;
}

Triple times(const Matrix3& m, const Triple& v) {
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint8_t gamma(double value) {
  const double c = std::clamp(value, 0.0, 1.0);
  const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return std::uint8_t(std::lround(255 * s));
}

Triple toLinear(const OkLab& lab) {
  Triple cones = times(kLabToCones, {lab.lightness, lab.a, lab.b});
  for (double& c : cones) c = c * c * c;
  return times(kConesToRgb, cones);
}

}  // namespace

OkLab seen(Colour colour, Vision vision) {
  Triple rgb{linear(colour.r), linear(colour.g), linear(colour.b)};
  if (vision != Vision::Normal) {
    rgb = times(without(vision), rgb);
    for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
  }
  Triple cones = times(kRgbToCones, rgb);
  for (double& c : cones) c = std::cbrt(c);
  const Triple lab = times(kConesToLab, cones);
  return {lab[0], lab[1], lab[2]};
}

double luminanceOf(Colour colour) {
  return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

Colour toColour(const OkLab& lab) {
  const Triple rgb = toLinear(lab);
  return {gamma(rgb[0]), gamma(rgb[1]), gamma(rgb[2])};
}

bool inGamut(const OkLab& lab) {
  const Triple rgb = toLinear(lab);
  return std::all_of(rgb.begin(), rgb.end(), [](double c) { return c >= -1e-4 && c <= 1.0001; });
}

Colour mix(Colour p, Colour q, double t) {
  const OkLab u = seen(p, Vision::Normal);
  const OkLab v = seen(q, Vision::Normal);
  return toColour(
      {std::lerp(u.lightness, v.lightness, t), std::lerp(u.a, v.a, t), std::lerp(u.b, v.b, t)});
}

}  // namespace clusterloom
