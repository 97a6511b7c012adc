#include "render/paint/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "render/paint/colour_vision.h"

namespace clusterloom {
namespace {

constexpr std::array kVisions{Vision::Normal, Vision::Protanopia, Vision::Deuteranopia,
                              Vision::Tritanopia};
using Looks = std::array<OkLab, kVisions.size()>;

Looks looksOf(Colour colour) {
  Looks looks;
  for (std::size_t v = 0; v < kVisions.size(); ++v) looks[v] = seen(colour, kVisions[v]);
  return looks;
}

/// Squared difference of two colours for the kind of colour vision that distinguishes them worst.
/// Only comparisons are needed, millions of times before the first colour is shown. Dichromats have
/// one dimension less to spread colours in, so their distances are weighted more; tritanopes, who
/// are about a hundred times as rare as the others, get enough to tell the first thirty apart.
double difference(const Looks& p, const Looks& q) {
  return std::min({squaredDistance(p[0], q[0]), 2.25 * squaredDistance(p[1], q[1]),
                   2.25 * squaredDistance(p[2], q[2]), 4 * squaredDistance(p[3], q[3])});
}

/// Colours that are readable on dark and light backgrounds and not greyish, in steps of OKLab.
std::vector<Colour> candidates() {
  std::vector<Colour> colours;
  for (int l = 0; l <= 20; ++l) {
    const double lightness = 0.44 + 0.02 * l;
    for (int c = 0; c <= 6; ++c) {
      const double chroma = 0.06 + 0.025 * c;
      for (int h = 0; h < 60; ++h) {
        const double hue = 2 * std::numbers::pi * h / 60;
        const OkLab lab{lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
        if (inGamut(lab)) colours.push_back(toColour(lab));
      }
    }
  }
  return colours;
}

std::vector<Colour> makePalette() {
  // Okabe and Ito's (lightened) blue, (darkened) orange, bluish green, vermilion, sky blue,
  // reddish purple and (darkened) yellow, in an order that keeps the first few far apart on either
  // ground.
  std::vector<Colour> palette{{22, 124, 194}, {228, 152, 0},   {0, 158, 115}, {213, 94, 0},
                              {86, 180, 233}, {204, 121, 167}, {220, 208, 80}};
  const std::vector<Colour> choices = candidates();
  std::vector<Looks> looks;
  looks.reserve(choices.size());
  for (const Colour& choice : choices) looks.push_back(looksOf(choice));
  std::vector<double> nearest(choices.size(), std::numeric_limits<double>::infinity());
  const auto take = [&](Colour taken) {
    const Looks look = looksOf(taken);
    for (std::size_t i = 0; i < choices.size(); ++i)
      nearest[i] = std::min(nearest[i], difference(look, looks[i]));
  };
  take(noiseColour(Background::Dark));
  take(noiseColour(Background::Light));
  for (const Colour& colour : palette) take(colour);
  while (palette.size() < std::size_t(kDistinctColours)) {
    const auto farthest = std::max_element(nearest.begin(), nearest.end()) - nearest.begin();
    palette.push_back(choices[std::size_t(farthest)]);
    take(palette.back());
  }
  return palette;
}

}  // namespace

Colour clusterColour(std::int32_t index) {
  static const std::vector<Colour> palette = makePalette();
  return palette[std::size_t(index % kDistinctColours)];
}

Colour noiseColour(Background background) {
  return background == Background::Dark ? Colour{86, 92, 101} : Colour{178, 184, 192};
}

}  // namespace clusterloom
