#include "render/charts/table_picture.h"

#include <algorithm>
#include <cmath>

#include "render/paint/text_font.h"

namespace clusterloom {
namespace {

constexpr double kText = 12;
constexpr double kRow = 22;
constexpr double kCellGap = 12;      // left and right of a cell
constexpr double kTableMargin = 10;  // around the table

std::vector<double> widthsOf(const ShownTable& shown) {
  std::vector<double> widths;
  for (const std::string& name : shown.table.names)
    widths.push_back(textWidth(name, kText, true) + 2 * kCellGap);
  for (const auto& row : shown.table.rows)
    for (std::size_t c = 0; c < std::min(row.size(), widths.size()); ++c)
      widths[c] = std::max(widths[c], textWidth(row[c], kText, false) + 2 * kCellGap);
  // The last column of a group takes what its heading needs beyond the columns.
  for (const ColumnGroup& group : shown.groups) {
    double wide = textWidth(group.title, kText, true) + 2 * kCellGap;
    for (std::size_t c = group.first; c <= group.last; ++c) wide -= widths[c];
    widths[group.last] += std::max(0.0, wide);
  }
  return widths;
}

std::size_t linesOf(const ShownTable& shown) {
  return shown.table.rows.size() + (shown.groups.empty() ? 1 : 2);
}

}  // namespace

TableSize sizeOf(const ShownTable& shown) {
  double width = 2 * kTableMargin;
  for (const double column : widthsOf(shown)) width += column;
  const double height = 2 * kTableMargin + kRow * double(linesOf(shown));
  return {int(std::ceil(width)), int(std::ceil(height))};
}

void paintTable(Painter& painter, const ShownTable& shown, const Theme& theme) {
  const double r = painter.ratio();
  const std::vector<double> widths = widthsOf(shown);
  const TableSize size = sizeOf(shown);
  double top = (size.height - kTableMargin) * r;
  const auto paintRow = [&](const std::vector<std::string>& cells, bool bold) {
    double left = kTableMargin * r;
    for (std::size_t c = 0; c < std::min(cells.size(), widths.size()); ++c) {
      const double right = left + widths[c] * r;
      const bool flushRight = c < shown.flushRight.size() && shown.flushRight[c];
      painter.text(cells[c], flushRight ? right - kCellGap * r : left + kCellGap * r,
                   top - kRow * r / 2, flushRight ? Across::Right : Across::Left, Along::Centre,
                   theme.text, kText, bold);
      left = right;
    }
    top -= kRow * r;
    painter.line(kTableMargin * r, top, (size.width - kTableMargin) * r, top,
                 bold ? theme.line : theme.faintLine);
  };
  for (const ColumnGroup& group : shown.groups) {
    const auto edge = [&](std::size_t column) {
      double x = kTableMargin;
      for (std::size_t c = 0; c < column; ++c) x += widths[c];
      return x;
    };
    const double y = top - kRow * r;
    painter.text(group.title, (edge(group.first) + kCellGap) * r, y + kRow * r / 2, Across::Left,
                 Along::Centre, theme.text, kText, true);
    painter.line((edge(group.first) + kCellGap) * r, y, (edge(group.last + 1) - kCellGap) * r, y,
                 theme.line);
  }
  if (!shown.groups.empty()) top -= kRow * r;
  paintRow(shown.table.names, true);
  for (const auto& row : shown.table.rows) paintRow(row, false);
}

}  // namespace clusterloom
