#include "render/charts/chart_header.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "render/paint/text_font.h"

namespace clusterloom {
namespace {

// In logical pixels.
constexpr double kHeaderText = 11;
constexpr double kHeaderBox = 10;
constexpr double kHeaderStroke = 16;
constexpr double kHeaderSpace = 6;    // between swatch and words
constexpr double kHeaderGap = 16;     // after an entry
constexpr double kHeaderBeyond = 14;  // entries may end this far to the right of the plot
constexpr double kHeaderLine = 16;    // from line to line
constexpr double kHeaderFirst = 16;   // from the top of the chart to the middle of the first line
constexpr double kHeaderLeast = 70;   // of the plot's height, which a title must leave

/// The parts of a title as lines of at most `room` logical pixels, each as full as possible.
std::vector<std::string> brokenTitle(const std::string& title, double room) {
  static const std::string kBreak = " · ";
  std::vector<std::string> lines;
  for (std::size_t from = 0; from <= title.size();) {
    const std::size_t to = std::min(title.find(kBreak, from), title.size());
    const std::string part = title.substr(from, to - from);
    const bool joins =
        !lines.empty() && textWidth(lines.back() + kBreak + part, kHeaderText, false) <= room;
    if (joins)
      lines.back() += kBreak + part;
    else
      lines.push_back(part);
    from = to + kBreak.size();
  }
  return lines;
}

/// From the left end of a swatch to its words.
double indentOf(ChartHeader::Swatch swatch) {
  return (swatch == ChartHeader::Swatch::Line ? kHeaderStroke : kHeaderBox) + kHeaderSpace;
}

void paintSwatch(Painter& painter, ChartHeader::Swatch swatch, Colour colour, double x, double y) {
  const double r = painter.ratio();
  const double low = y - kHeaderBox / 2 * r;
  switch (swatch) {
    case ChartHeader::Swatch::Box:
      return painter.rectangle(x, low, kHeaderBox * r, kHeaderBox * r, colour);
    case ChartHeader::Swatch::Frame:
      return painter.frame(x, low, kHeaderBox * r, kHeaderBox * r, colour, 2);
    case ChartHeader::Swatch::Ring:
      return painter.circle(x + kHeaderBox / 2 * r, y, kHeaderBox / 2 * r, colour, 1.8);
    case ChartHeader::Swatch::Line: return painter.line(x, y, x + kHeaderStroke * r, y, colour, 3);
  }
}

}  // namespace

void ChartHeader::addEntry(std::string words, Colour colour, Swatch swatch) {
  entries_.push_back({std::move(words), colour, swatch});
}

void ChartHeader::setTitle(std::string title) { title_ = std::move(title); }

void ChartHeader::layOut(double ratio, PlotArea& area) {
  // Measured without the painter: pointers use the layout that another painter may have made last.
  const double room = (area.right - area.left) / ratio;
  lines_.assign(1, {});
  double used = 0;
  for (const Entry& entry : entries_) {
    const double width = indentOf(entry.swatch) + textWidth(entry.words, kHeaderText, false);
    if (used > 0 && used + width > room + kHeaderBeyond) {
      lines_.emplace_back();
      used = 0;
    }
    lines_.back().entries.push_back(entry);
    used += width + kHeaderGap;
  }
  if (used + textWidth(title_, kHeaderText, false) <= room) {
    lines_.back().title = title_;
  } else {
    const double height = (area.top - area.bottom) / ratio;
    for (std::string& part : brokenTitle(title_, room)) {
      const bool taken = !lines_.back().entries.empty() || !lines_.back().title.empty();
      if (taken && height - kHeaderLine * double(lines_.size()) < kHeaderLeast) break;
      if (taken) lines_.emplace_back();
      lines_.back().title = std::move(part);
    }
  }
  const double lower = kHeaderLine * ratio * double(lines_.size() - 1);
  area.top = std::max(area.top - lower, area.bottom + 1);
  area.y.to = area.top;
}

void ChartHeader::paint(Painter& painter, const PlotArea& area, const Theme& theme) const {
  const double r = painter.ratio();
  double y = area.height - kHeaderFirst * r;
  for (const Line& line : lines_) {
    double x = area.left;
    for (const Entry& entry : line.entries) {
      paintSwatch(painter, entry.swatch, entry.colour, x, y);
      x += indentOf(entry.swatch) * r;
      painter.text(fitted(painter, entry.words, area.width - x, kHeaderText), x, y, Across::Left,
                   Along::Centre, theme.text, kHeaderText);
      x += painter.widthOf(entry.words, kHeaderText) + kHeaderGap * r;
    }
    if (!line.title.empty())
      painter.text(fitted(painter, line.title, area.right - area.left, kHeaderText), area.right, y,
                   Across::Right, Along::Centre, theme.faintText, kHeaderText);
    y -= kHeaderLine * r;
  }
}

}  // namespace clusterloom
