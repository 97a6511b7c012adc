#include "render/scene/scale_bar.h"

#include <algorithm>
#include <cmath>

#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

// Logical pixels.
constexpr double kLongest = 150;
constexpr double kShortest = 20;
constexpr double kBarPadding = 7;
constexpr double kTick = 6;
constexpr double kWordsSize = 11;
constexpr double kWordsHeight = 16;
/// Width of a character as a fraction of the size of its text, on the large side.
constexpr double kWidestCharacter = 0.6;

/// The largest 1, 2 or 5 · 10^m up to a number above 0.
double roundUpTo(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= most) return digit * power;
  return power;
}

}  // namespace

std::optional<ScaleBar> scaleBarWithin(double pixelsPerUnit, double space, double ratio,
                                       const std::string& unit) {
  const double most = std::min(kLongest * ratio, space / 3);
  if (!(pixelsPerUnit > 0) || !(most >= kShortest * ratio)) return std::nullopt;
  const double length = roundUpTo(most / pixelsPerUnit);
  if (!std::isnormal(length)) return std::nullopt;
  ScaleBar bar;
  bar.length = length * pixelsPerUnit;
  bar.words = tickNumber(length) + (unit.empty() ? "" : " " + unit);
  const double words = kWidestCharacter * kWordsSize * characterCount(bar.words) * ratio;
  bar.width = std::max(bar.length, words) + 2 * kBarPadding * ratio;
  bar.height = (kTick + kWordsHeight + 2 * kBarPadding) * ratio;
  return bar;
}

void paintScaleBar(Painter& painter, const ScaleBar& bar, const PixelBox& box, const Theme& theme) {
  const double r = painter.ratio();
  painter.rectangle(box.x0, box.y0, bar.width, bar.height, theme.ground, 235);
  const double left = (box.x0 + box.x1 - bar.length) / 2;
  const double right = left + bar.length;
  const double bottom = box.y0 + kBarPadding * r;
  painter.line(left, bottom, right, bottom, theme.text, 2);
  for (const double end : {left, right})
    painter.line(end, bottom, end, bottom + kTick * r, theme.text, 2);
  painter.text(bar.words, (left + right) / 2, bottom + kTick * r, Across::Centre, Along::Bottom,
               theme.text, kWordsSize);
}

}  // namespace clusterloom
