#include "render/scene/paint_axes.h"

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

void paintAxesUnder(Painter& painter, const AxesLayout& layout, const Theme& theme) {
  for (const Segment& s : layout.grid) painter.line(s.x0, s.y0, s.x1, s.y1, theme.faintLine);
  for (const Segment& s : layout.edges) painter.line(s.x0, s.y0, s.x1, s.y1, theme.line);
}

void paintRulers(Painter& painter, const AxesLayout& layout, const Theme& theme, int width,
                 int height) {
  painter.rectangle(0, 0, width, layout.bottomBand, theme.ground);
  painter.rectangle(0, layout.bottomBand, layout.leftBand, height - layout.bottomBand,
                    theme.ground);
  painter.line(layout.leftBand, layout.bottomBand, width, layout.bottomBand, theme.line);
  if (layout.leftBand > 0)
    painter.line(layout.leftBand, layout.bottomBand, layout.leftBand, height, theme.line);
}

void paintAxesOver(Painter& painter, const AxesLayout& layout, const Theme& theme) {
  for (const Segment& s : layout.ticks) painter.line(s.x0, s.y0, s.x1, s.y1, theme.line);
  for (const PlacedText& text : layout.texts) {
    const Colour colour = text.title ? theme.text : theme.faintText;
    if (text.upwards)
      painter.textUpwards(text.words, text.x, text.y, text.across, text.along, colour, text.size);
    else
      painter.text(text.words, text.x, text.y, text.across, text.along, colour, text.size);
  }
}

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
