#include "render/scene/legend.h"

#include <algorithm>

#include "render/paint/ticks.h"

namespace clusterloom {
namespace {

constexpr double kBarHeight = 168;
constexpr double kBarWidth = 12;
constexpr double kPadding = 10;
constexpr double kTitleHeight = 24;

}  // namespace

void paintLegend(Painter& painter, const ScalarLegend& legend, double right, double middle,
                 const Theme& theme) {
  const double r = painter.ratio();
  const ScalarScale& scale = legend.scale;
  const Ticks ticks = scale.logarithmic ? logTicksWithin(scale.low, scale.high, 6)
                                        : ticksWithin(scale.low, scale.high, 6);
  double numbers = 0;
  for (const std::string& label : ticks.labels)
    numbers = std::max(numbers, painter.widthOf(label, 11));
  const double width =
      std::max(kBarWidth * r + 8 * r + numbers, painter.widthOf(legend.title, 11, true)) +
      2 * kPadding * r;
  const double height = (kBarHeight + kTitleHeight + 2 * kPadding) * r;
  const double left = right - width;
  const double bottom = middle - height / 2;
  painter.rectangle(left, bottom, width, height, theme.ground, 240);
  painter.frame(left, bottom, width, height, theme.faintLine);
  painter.text(legend.title, left + kPadding * r, bottom + height - kPadding * r, Across::Left,
               Along::Top, theme.text, 11, true);

  const double barLeft = left + kPadding * r;
  const double barBottom = bottom + kPadding * r;
  constexpr int kSteps = 84;
  for (int i = 0; i < kSteps; ++i)
    painter.rectangle(barLeft, barBottom + kBarHeight * r * i / kSteps, kBarWidth * r,
                      kBarHeight * r / kSteps + 1, mapColour(scale.map, (i + 0.5) / kSteps));
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double t = std::clamp(positionOn(scale, ticks.values[i]), 0.0, 1.0);
    const double y = barBottom + kBarHeight * r * t;
    painter.line(barLeft + kBarWidth * r, y, barLeft + (kBarWidth + 4) * r, y, theme.line);
    painter.text(ticks.labels[i], barLeft + (kBarWidth + 8) * r, y, Across::Left, Along::Centre,
                 theme.text, 11);
  }
}

}  // namespace clusterloom
