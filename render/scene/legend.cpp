#include "render/scene/legend.h"

#include <algorithm>
#include <sstream>

#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr double kBarHeight = 168;
constexpr double kLeastBarHeight = 40;  // where the area has no room for more
constexpr double kBarWidth = 12;
constexpr double kPadding = 10;
constexpr double kTitleHeight = 24;
constexpr double kTitleLine = 14;  ///< of each further line of the title
/// A legend takes more of the width of its area only where its numbers or a word need it.
constexpr double kMostOfWidth = 0.35;

constexpr double kLegendMargin = 14;
constexpr double kLegendNumberSize = 11;
/// Width of a character as a fraction of the size of its text, on the large side.
constexpr double kCharacter = 0.6;
/// Another place replaces `now` when it covers at most this fraction of what `now` covers.
constexpr double kClearly = 0.7;

/// For a bar of this height, in pixels at a ratio of 1.
Ticks ticksOf(const ScalarScale& scale, double bar) {
  const int most = bar < kBarHeight / 2 ? 3 : 6;
  return scale.logarithmic ? logTicksWithin(scale.low, scale.high, most)
                           : ticksWithin(scale.low, scale.high, most);
}

double lengthOf(const std::string& text) {
  return kCharacter * kLegendNumberSize * characterCount(text);
}

/// The title in lines of at most this length, or of one word.
std::vector<std::string> titleLines(const std::string& title, double most) {
  std::vector<std::string> lines;
  std::istringstream words(title);
  for (std::string word; words >> word;) {
    const std::string longer = lines.empty() ? word : lines.back() + ' ' + word;
    if (!lines.empty() && lengthOf(longer) <= most)
      lines.back() = longer;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace

PixelBox boxAt(LegendPlace place, double width, double height, const PixelBox& area,
               double margin) {
  const bool left = place == LegendPlace::TopLeft || place == LegendPlace::BottomLeft;
  const double x = left ? area.x0 + margin : area.x1 - margin - width;
  double y = (area.y0 + area.y1 - height) / 2;
  if (place == LegendPlace::TopRight || place == LegendPlace::TopLeft)
    y = area.y1 - margin - height;
  if (place == LegendPlace::BottomRight || place == LegendPlace::BottomLeft) y = area.y0 + margin;
  return {x, y, x + width, y + height};
}

std::size_t pointsWithin(const PixelBox& box, const std::vector<double>& pixels) {
  std::size_t points = 0;
  for (std::size_t i = 0; i + 1 < pixels.size(); i += 2)
    points += pixels[i] >= box.x0 && pixels[i] <= box.x1 && pixels[i + 1] >= box.y0 &&
                      pixels[i + 1] <= box.y1
                  ? 1
                  : 0;
  return points;
}

PixelBox legendBox(const ScalarLegend& legend, LegendPlace place, const PixelBox& area,
                   double ratio) {
  double numbers = 0;
  for (const std::string& label : ticksOf(legend.scale, kBarHeight).labels)
    numbers = std::max(numbers, lengthOf(label));
  double inside = kBarWidth + 8 + numbers;
  const double most = std::max(inside, kMostOfWidth * (area.x1 - area.x0) / ratio - 2 * kPadding);
  const std::vector<std::string> lines = titleLines(legend.title, most);
  for (const std::string& line : lines) inside = std::max(inside, lengthOf(line));
  const double further = kTitleLine * std::max(0.0, double(lines.size()) - 1);
  const double width = (inside + 2 * kPadding) * ratio;
  const double others = kTitleHeight + further + 2 * kPadding;
  const double room = (area.y1 - area.y0) / ratio - 2 * kLegendMargin;
  const double height = (std::clamp(room - others, kLeastBarHeight, kBarHeight) + others) * ratio;
  return boxAt(place, width, height, area, kLegendMargin * ratio);
}

LegendPlace leastCovered(const ScalarLegend& legend, const std::vector<double>& pixels,
                         const PixelBox& area, double ratio, LegendPlace now) {
  const auto covered = [&](LegendPlace place) {
    return pointsWithin(legendBox(legend, place, area, ratio), pixels);
  };
  const auto limit = double(covered(now)) * kClearly;
  LegendPlace best = now;
  double fewest = limit;
  for (const LegendPlace place :
       {LegendPlace::Right, LegendPlace::TopRight, LegendPlace::BottomRight, LegendPlace::TopLeft,
        LegendPlace::BottomLeft}) {
    const auto points = double(covered(place));
    if (points < fewest) {
      fewest = points;
      best = place;
    }
  }
  return best;
}

void paintLegend(Painter& painter, const ScalarLegend& legend, const PixelBox& box,
                 const Theme& theme) {
  const double r = painter.ratio();
  const ScalarScale& scale = legend.scale;
  const double left = box.x0;
  const double bottom = box.y0;
  const double width = box.x1 - box.x0;
  const double height = box.y1 - box.y0;
  painter.rectangle(left, bottom, width, height, theme.ground, 240);
  painter.frame(left, bottom, width, height, theme.faintLine);
  double top = bottom + height - kPadding * r;
  const std::vector<std::string> lines = titleLines(legend.title, width / r - 2 * kPadding + 0.01);
  for (const std::string& line : lines) {
    painter.text(line, left + kPadding * r, top, Across::Left, Along::Top, theme.text,
                 kLegendNumberSize, true);
    top -= kTitleLine * r;
  }

  const double barLeft = left + kPadding * r;
  const double barBottom = bottom + kPadding * r;
  const double further = kTitleLine * std::max(0.0, double(lines.size()) - 1);
  const double bar = height - (kTitleHeight + further + 2 * kPadding) * r;
  const Ticks ticks = ticksOf(scale, bar / r);
  constexpr int kSteps = 84;
  for (int i = 0; i < kSteps; ++i)
    painter.rectangle(barLeft, barBottom + bar * i / kSteps, kBarWidth * r, bar / kSteps + 1,
                      colourOn(scale, (i + 0.5) / kSteps, theme));
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double t = std::clamp(positionOn(scale, ticks.values[i]), 0.0, 1.0);
    const double y = barBottom + bar * t;
    painter.line(barLeft + kBarWidth * r, y, barLeft + (kBarWidth + 4) * r, y, theme.line);
    painter.text(ticks.labels[i], barLeft + (kBarWidth + 8) * r, y, Across::Left, Along::Centre,
                 theme.text, 11);
  }
}

double captionHeight(const Caption& caption, double ratio) {
  const int lines = (caption.text.empty() ? 0 : 20) + (caption.detail.empty() ? 0 : 18);
  return lines == 0 ? 0 : (lines + 8) * ratio;
}

void paintCaption(Painter& painter, const Caption& caption, const Theme& theme, double left,
                  int height) {
  if (caption.text.empty() && caption.detail.empty()) return;
  const double r = painter.ratio();
  const double x = left + 12 * r;
  const double top = height - 10 * r;
  const double width =
      std::max(painter.widthOf(caption.text, 14, true), painter.widthOf(caption.detail, 12)) +
      16 * r;
  const double boxHeight = captionHeight(caption, r);
  painter.rectangle(x - 8 * r, top - boxHeight + 4 * r, width, boxHeight, theme.ground, 235);
  double y = top;
  if (!caption.text.empty()) {
    painter.text(caption.text, x, y, Across::Left, Along::Top, theme.text, 14, true);
    y -= 20 * r;
  }
  painter.text(caption.detail, x, y, Across::Left, Along::Top, theme.faintText, 12);
}

}  // namespace clusterloom
