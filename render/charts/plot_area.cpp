#include "render/charts/plot_area.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

constexpr double kNumbers = 10.5;
constexpr double kTitles = 11.5;

}  // namespace

double PlotAxis::pixel(double value) const {
  if (!(high > low)) return (from + to) / 2;
  if (logarithmic && !(value > 0)) return from;
  const double t =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + t * (to - from);
}

double PlotAxis::value(double pixel) const {
  const double t = to != from ? (pixel - from) / (to - from) : 0;
  return logarithmic ? std::exp(std::lerp(std::log(low), std::log(high), t))
                     : low + t * (high - low);
}

Ticks PlotAxis::ticks(int most) const {
  const double inside = std::max(1.0, std::floor(high) - std::ceil(low) + 1);
  const int fitting = whole ? int(std::min<double>(most, inside)) : most;
  Ticks ticks = logarithmic ? logTicksWithin(low, high, fitting) : ticksWithin(low, high, fitting);
  if (!whole) return ticks;
  Ticks wholes;
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    if (ticks.values[i] != std::round(ticks.values[i])) continue;
    wholes.values.push_back(ticks.values[i]);
    std::string label = ticks.labels[i];
    if (label.find('e') == std::string::npos)
      label.resize(std::min(label.find(numberSigns().decimal), label.size()));
    wholes.labels.push_back(std::move(label));
  }
  return wholes;
}

void PlotArea::layOut(int chartWidth, int chartHeight, double ratio, bool rightNumbers) {
  width = chartWidth;
  height = chartHeight;
  left = 66 * ratio;
  bottom = 44 * ratio;
  right = std::max(width - (rightNumbers ? 52 : 18) * ratio, left + 1);
  top = std::max(height - 30 * ratio, bottom + 1);
  x.from = left;
  x.to = right;
  y.from = bottom;
  y.to = top;
}

std::string fitted(Painter& painter, const std::string& words, double room, double size) {
  if (painter.widthOf(words, size) <= room) return words;
  const std::string end = "…";
  std::string beginning = words;
  while (!beginning.empty() && painter.widthOf(beginning + end, size) > room) {
    // A whole character of UTF-8.
    while (!beginning.empty() && (static_cast<unsigned char>(beginning.back()) & 0xC0U) == 0x80U)
      beginning.pop_back();
    if (!beginning.empty()) beginning.pop_back();
  }
  return beginning.empty() ? beginning : beginning + end;
}

void paintFrame(Painter& painter, const PlotArea& area, const Theme& theme,
                const std::string& xTitle, const std::string& yTitle) {
  const double r = painter.ratio();
  painter.line(area.left, area.bottom, area.right, area.bottom, theme.line);
  painter.line(area.left, area.bottom, area.left, area.top, theme.line);
  const auto place = [&](const std::string& title, double middle, double room) {
    const double half = painter.widthOf(title, kTitles) / 2;
    return std::clamp(middle, std::min(half + 2 * r, room / 2),
                      std::max(room - half - 2 * r, room / 2));
  };
  const std::string across = fitted(painter, xTitle, area.width - 4 * r, kTitles);
  painter.text(across, place(across, (area.left + area.right) / 2, area.width), 6 * r,
               Across::Centre, Along::Bottom, theme.text, kTitles);
  const std::string up = fitted(painter, yTitle, area.height - 4 * r, kTitles);
  painter.textUpwards(up, 11 * r, place(up, (area.bottom + area.top) / 2, area.height),
                      Across::Centre, Along::Centre, theme.text, kTitles);
}

void paintNumbersBelow(Painter& painter, const PlotArea& area, const Theme& theme, bool grid,
                       bool units) {
  const double r = painter.ratio();
  const Ticks across = area.x.ticks(std::max(2, int((area.right - area.left) / (90 * r))));
  const std::vector<std::string> withUnits = unitLabels(across);
  for (std::size_t i = 0; i < across.values.size(); ++i) {
    const double x = area.x.pixel(across.values[i]);
    if (grid)
      painter.line(x, area.bottom, x, area.top, theme.faintLine);
    else
      painter.line(x, area.bottom - 4 * r, x, area.bottom, theme.line);
    painter.text(units ? withUnits[i] : tickNumber(across.values[i]), x, area.bottom - 6 * r,
                 Across::Centre, Along::Top, theme.faintText, kNumbers);
  }
}

void paintAxes(Painter& painter, const PlotArea& area, const Theme& theme,
               const std::string& xTitle, const std::string& yTitle) {
  const double r = painter.ratio();
  const Ticks across = area.x.ticks(std::max(2, int((area.right - area.left) / (84 * r))));
  double lastRight = -1e9;
  for (std::size_t i = 0; i < across.values.size(); ++i) {
    const double px = area.x.pixel(across.values[i]);
    painter.line(px, area.bottom, px, area.top, theme.faintLine);
    const double half = painter.widthOf(across.labels[i], kNumbers) / 2;
    const double middle = std::min(px, area.width - half - r);
    if (middle - half < lastRight + 6 * r) continue;
    painter.text(across.labels[i], middle, area.bottom - 6 * r, Across::Centre, Along::Top,
                 theme.faintText, kNumbers);
    lastRight = middle + half;
  }
  const Ticks up = area.y.ticks(std::max(2, int((area.top - area.bottom) / (28 * r))));
  for (std::size_t i = 0; i < up.values.size(); ++i) {
    const double py = area.y.pixel(up.values[i]);
    painter.line(area.left, py, area.right, py, theme.faintLine);
    // More digits than these would run into the title. Distances have no "k" and "M".
    const double size = std::abs(up.values[i]);
    const std::string label = area.y.whole  ? (size >= 1e5 ? withUnit(up.values[i]) : up.labels[i])
                              : size >= 1e6 ? shortNumber(up.values[i])
                                            : up.labels[i];
    painter.text(label, area.left - 6 * r, py, Across::Right, Along::Centre, theme.faintText,
                 kNumbers);
  }
  paintFrame(painter, area, theme, xTitle, yTitle);
}

void paintCurve(Painter& painter, const PlotArea& area, const PlotAxis& yAxis,
                const std::vector<double>& x, const std::vector<double>& y, Colour colour,
                double width) {
  const auto clampY = [&](double value) {
    return std::clamp(yAxis.pixel(value), area.bottom, area.top);
  };
  std::vector<float> corners;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto px = float(std::clamp(area.x.pixel(x[i]), area.left, area.right));
    const auto py = float(clampY(y[i]));
    // Steps below the painter's resolution need no corners.
    const bool inner = i > 0 && i + 1 < x.size();
    const auto least = float(painter.leastStep());
    if (inner && std::abs(px - corners[corners.size() - 2]) < least &&
        std::abs(py - corners.back()) < least)
      continue;
    corners.push_back(px);
    corners.push_back(py);
  }
  painter.polyline(corners, colour, width);
}

namespace {

/// The words in lines that fit into `room`, broken at " · "; a single part that is wider is cut.
std::vector<std::string> linesOf(Painter& painter, const std::string& words, double room) {
  static const std::string kBreak = " · ";
  const auto wide = [&](const std::string& text) { return painter.widthOf(text, kTitles, true); };
  if (wide(words) <= room) return {words};
  std::vector<std::string> lines;
  for (std::size_t from = 0; from <= words.size();) {
    const std::size_t to = std::min(words.find(kBreak, from), words.size());
    const std::string part = words.substr(from, to - from);
    if (!lines.empty() && wide(lines.back()) + wide(kBreak) + wide(part) <= room)
      lines.back().append(kBreak).append(part);
    else
      lines.push_back(part);
    from = to + kBreak.size();
  }
  // Bold is wider than what `fitted` measures, by less than a tenth.
  for (std::string& line : lines)
    if (wide(line) > room) line = fitted(painter, line, 0.9 * room, kTitles);
  return lines;
}

}  // namespace

void paintTag(Painter& painter, const PlotArea& area, const std::string& words, double x, double y,
              Across across, Along along, Colour colour, const Theme& theme) {
  const double r = painter.ratio();
  const std::vector<std::string> lines =
      linesOf(painter, words, std::max(1.0, area.right - area.left - 12 * r));
  const double lineHeight = 16 * r;
  double width = 0;
  for (const std::string& line : lines)
    width = std::max(width, painter.widthOf(line, kTitles, true) + 10 * r);
  const double height = 3 * r + lineHeight * double(lines.size());
  double left = across == Across::Left ? x : across == Across::Right ? x - width : x - width / 2;
  double low = along == Along::Bottom ? y : along == Along::Top ? y - height : y - height / 2;
  left = std::clamp(left, area.left + r, std::max(area.left + r, area.right - width));
  low = std::clamp(low, area.bottom + r, std::max(area.bottom + r, area.top - height));
  painter.rectangle(left, low, width, height, theme.ground, 240);
  double middle = low + height - (lineHeight + 3 * r) / 2;
  for (const std::string& line : lines) {
    painter.text(line, left + 5 * r, middle, Across::Left, Along::Centre, colour, kTitles, true);
    middle -= lineHeight;
  }
}

void paintTag(Painter& painter, const PlotArea& area, const std::string& words, double pointerX,
              double pointerY, const Theme& theme) {
  const double r = painter.ratio();
  paintTag(painter, area, words, pointerX + 10 * r, pointerY + 4 * r, Across::Left, Along::Bottom,
           theme.text, theme);
}

std::string withUnit(double value) {
  static constexpr std::array<const char*, 7> kUnits{"", " k", " M", " G", " T", " P", " E"};
  double scaled = value;
  std::size_t unit = 0;
  while (std::abs(scaled) >= 999.5 && unit + 1 < kUnits.size()) {
    scaled /= 1000;
    ++unit;
  }
  if (std::abs(scaled) >= 999.5) return significantNumber(value, 3);
  return significantNumber(scaled, 3) + kUnits[unit];
}

std::vector<std::string> unitLabels(const Ticks& ticks) {
  constexpr int kUnitDigits = 3;
  std::vector<std::string> labels;
  for (const double value : ticks.values) {
    if (std::abs(roundedTo(value, kUnitDigits) - value) > 1e-9 * std::abs(value))
      return ticks.labels;
    labels.push_back(withUnit(value));
  }
  return labels;
}

}  // namespace clusterloom
