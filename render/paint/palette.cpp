#include "render/paint/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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
/// are about a hundred times as rare as the others, get enough to tell the first thirty apart, for
/// which they need more weight where dark blues are left out.
double difference(const Looks& p, const Looks& q, double tritanopes) {
  return std::min({squaredDistance(p[0], q[0]), 2.25 * squaredDistance(p[1], q[1]),
                   2.25 * squaredDistance(p[2], q[2]), tritanopes * squaredDistance(p[3], q[3])});
}

constexpr double kLeastFromWhite = 0.0105;  // squared

/// Whether the contrast with the dark ground is that of graphics with a meaning (WCAG 2.2, 1.4.11).
bool isReadableOnDark(Colour colour) {
  constexpr double least = 3;
  static const double ground = luminanceOf(themeOf(Background::Dark).ground);
  return luminanceOf(colour) + 0.05 >= least * (ground + 0.05);
}

/// Colours that are readable on this background and neither greyish nor, as the rings of marks are,
/// almost white, in steps of OKLab.
std::vector<Colour> candidates(Background background) {
  const bool isDark = background == Background::Dark;
  const int lightest = isDark ? 25 : 20;
  std::vector<Colour> colours;
  for (int l = 0; l <= lightest; ++l) {
    const double lightness = 0.44 + 0.02 * l;
    for (int c = 0; c <= 6; ++c) {
      const double chroma = 0.06 + 0.025 * c;
      for (int h = 0; h < 60; ++h) {
        const double hue = 2 * std::numbers::pi * h / 60;
        const OkLab lab{lightness, chroma * std::cos(hue), chroma * std::sin(hue)};
        if (!inGamut(lab) || squaredDistance(lab, {1, 0, 0}) < kLeastFromWhite) continue;
        if (!isDark || isReadableOnDark(toColour(lab))) colours.push_back(toColour(lab));
      }
    }
  }
  return colours;
}

std::vector<Colour> makePalette(Background background) {
  // Okabe and Ito's (lightened) blue, (darkened) orange, bluish green, vermilion, sky blue,
  // reddish purple and (darkened) yellow, in an order that keeps the first few far apart on either
  // ground.
  std::vector<Colour> palette{{22, 124, 194}, {228, 152, 0},   {0, 158, 115}, {213, 94, 0},
                              {86, 180, 233}, {204, 121, 167}, {220, 208, 80}};
  const std::vector<Colour> choices = candidates(background);
  std::vector<Looks> looks;
  looks.reserve(choices.size());
  for (const Colour& choice : choices) looks.push_back(looksOf(choice));
  const double tritanopes = background == Background::Dark ? 7 : 4;
  std::vector<double> nearest(choices.size(), std::numeric_limits<double>::infinity());
  const auto take = [&](Colour taken) {
    const Looks look = looksOf(taken);
    for (std::size_t i = 0; i < choices.size(); ++i)
      nearest[i] = std::min(nearest[i], difference(look, looks[i], tritanopes));
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

Colour clusterColour(std::int32_t index, Background background) {
  const auto entry = std::size_t(index % kDistinctColours);
  if (background == Background::Dark) {
    static const std::vector<Colour> dark = makePalette(Background::Dark);
    return dark[entry];
  }
  static const std::vector<Colour> light = makePalette(Background::Light);
  return light[entry];
}

Colour noiseColour(Background background) {
  return background == Background::Dark ? Colour{86, 92, 101} : Colour{178, 184, 192};
}

std::vector<std::int32_t> coloursByOverlap(std::vector<ClusterOverlap> overlaps,
                                           std::span<const std::int32_t> previousColours,
                                           std::int32_t newClusters) {
  constexpr std::int32_t kNone = -1;
  std::sort(overlaps.begin(), overlaps.end(), [](const ClusterOverlap& p, const ClusterOverlap& q) {
    if (p.points != q.points) return p.points > q.points;
    return p.before != q.before ? p.before < q.before : p.now < q.now;
  });
  std::vector<std::int32_t> colours(std::size_t(std::max(newClusters, 0)), kNone);
  std::vector<bool> used;
  const auto use = [&used](std::int32_t colour) {
    const auto at = std::size_t(colour);
    if (at >= used.size()) used.resize(at + 1, false);
    used[at] = true;
  };
  std::vector<bool> given(previousColours.size(), false);
  for (const ClusterOverlap& overlap : overlaps) {
    const auto before = std::size_t(overlap.before);
    const auto now = std::size_t(overlap.now);
    if (before >= previousColours.size() || now >= colours.size()) continue;
    if (given[before] || colours[now] != kNone || previousColours[before] < 0) continue;
    given[before] = true;
    colours[now] = previousColours[before];
    use(colours[now]);
  }
  std::size_t next = 0;
  for (std::int32_t& colour : colours) {
    if (colour != kNone) continue;
    while (next < used.size() && used[next]) ++next;
    colour = std::int32_t(next);
    use(colour);
  }
  return colours;
}

}  // namespace clusterloom
