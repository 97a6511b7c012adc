#include "render/paint/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "render/paint/colour_vision.h"

namespace clusterloom {
namespace {

// Evenly spaced values of the maps of van der Walt and Smith (2015, CC0) and of Nuñez, Anderton and
// Renslow (2018); values between are mixed in OKLab.
constexpr std::array<Colour, 9> kViridis{{{68, 1, 84},
                                          {71, 45, 123},
                                          {59, 82, 139},
                                          {44, 114, 142},
                                          {33, 145, 140},
                                          {40, 174, 128},
                                          {94, 201, 98},
                                          {173, 220, 48},
                                          {253, 231, 37}}};
constexpr std::array<Colour, 10> kCividis{{{0, 34, 78},
                                           {18, 53, 112},
                                           {59, 73, 108},
                                           {87, 93, 109},
                                           {112, 113, 115},
                                           {138, 134, 120},
                                           {165, 156, 116},
                                           {195, 179, 105},
                                           {225, 204, 85},
                                           {254, 232, 56}}};

constexpr std::array<Colour, 9> kPlasma{{{13, 8, 135},
                                         {75, 3, 161},
                                         {125, 3, 168},
                                         {168, 34, 150},
                                         {203, 70, 121},
                                         {229, 107, 93},
                                         {248, 148, 65},
                                         {253, 195, 40},
                                         {240, 249, 33}}};
constexpr std::array<Colour, 9> kMagma{{{0, 0, 4},
                                        {28, 16, 68},
                                        {79, 18, 123},
                                        {129, 37, 129},
                                        {181, 54, 122},
                                        {229, 80, 100},
                                        {251, 135, 97},
                                        {254, 194, 135},
                                        {252, 253, 191}}};
constexpr std::array<Colour, 2> kGrey{{{40, 40, 40}, {235, 235, 235}}};
// Brewer's RdBu, reversed.
constexpr std::array<Colour, 7> kBlueRed{{{33, 102, 172},
                                          {103, 169, 207},
                                          {209, 229, 240},
                                          {247, 247, 247},
                                          {253, 219, 199},
                                          {239, 138, 98},
                                          {178, 24, 43}}};

Colour along(std::span<const Colour> stops, double t) {
  const double place = t * double(stops.size() - 1);
  const auto below = std::min(std::size_t(place), stops.size() - 2);
  return mix(stops[below], stops[below + 1], place - double(below));
}

/// 256 entries of a map, so that colouring a point is a look-up.
std::array<Colour, 256> table(std::span<const Colour> stops) {
  std::array<Colour, 256> colours;
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = along(stops, double(i) / 255.0);
  return colours;
}

}  // namespace

Colour mapColour(ColourMap map, double t) {
  // In the order of ColourMap.
  static const std::array<std::array<Colour, 256>, kColourMaps> tables{
      table(kViridis), table(kCividis), table(kPlasma),
      table(kMagma),   table(kGrey),    table(kBlueRed)};
  if (std::isnan(t)) return {128, 128, 128};
  const auto at = std::size_t(std::lround(255 * std::clamp(t, 0.0, 1.0)));
  return tables[std::size_t(map)][at];
}

Colour colourOn(const ScalarScale& scale, double position, const Theme& theme) {
  constexpr double kFaintest = 0.3;
  constexpr double kStrongest = 0.9;
  if (!scale.fromGround) return mapColour(scale.map, position);
  return mix(theme.ground, theme.text,
             kFaintest + (kStrongest - kFaintest) * std::clamp(position, 0.0, 1.0));
}

double positionOn(const ScalarScale& scale, double value) {
  if (!(scale.high > scale.low)) return 0.5;
  if (scale.logarithmic && scale.low > 0)
    return value > 0 ? (std::log(value) - std::log(scale.low)) /
                           (std::log(scale.high) - std::log(scale.low))
                     : 0;
  return (value - scale.low) / (scale.high - scale.low);
}

}  // namespace clusterloom
