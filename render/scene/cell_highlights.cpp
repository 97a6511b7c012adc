#include "render/scene/cell_highlights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "render/scene/axes_layout.h"
#include "render/scene/cell_overlay.h"

namespace clusterloom {
namespace {

using Place = std::array<double, 3>;
using Pixel = std::array<double, 2>;

std::optional<Pixel> seen(const ViewTransform& view, const Place& place) {
  Pixel pixel{};
  if (!projectPlace(view, place, pixel[0], pixel[1])) return std::nullopt;
  return pixel;
}

void paintBox(Painter& painter, const ViewTransform& view, const std::array<Place, 8>& corners,
              bool flat, Colour colour, double width) {
  for (std::size_t c = 0; c < (flat ? 4U : 8U); ++c)
    for (std::size_t a = 0; a < (flat ? 2U : 3U); ++a) {
      if ((c >> a & 1U) != 0) continue;
      const auto from = seen(view, corners[c]);
      const auto to = seen(view, corners[c | std::size_t{1} << a]);
      if (from && to) painter.line((*from)[0], (*from)[1], (*to)[0], (*to)[1], colour, width);
    }
}

Place middleOf(const std::array<Place, 8>& corners, bool flat) {
  Place middle{};
  const std::size_t last = flat ? 3 : 7;
  for (std::size_t a = 0; a < 3; ++a) middle[a] = (corners[0][a] + corners[last][a]) / 2;
  return middle;
}

void paintArrow(Painter& painter, const Pixel& from, const Pixel& to, const Theme& theme) {
  const double dx = to[0] - from[0];
  const double dy = to[1] - from[1];
  const double length = std::hypot(dx, dy);
  const double r = painter.ratio();
  if (length < 6 * r) return;
  // From near the middle of one cell to near that of the other, so that numbers stay readable.
  const double ux = dx / length;
  const double uy = dy / length;
  const double x0 = from[0] + 0.22 * dx;
  const double y0 = from[1] + 0.22 * dy;
  const double x1 = from[0] + 0.8 * dx;
  const double y1 = from[1] + 0.8 * dy;
  const double head = std::min(9 * r, 0.3 * length);
  for (const auto& [colour, width] : {std::pair{theme.ground, 5.0}, {theme.accent, 2.2}}) {
    painter.line(x0, y0, x1, y1, colour, width);
    for (const double side : {-0.55, 0.55})
      painter.line(x1, y1, x1 - head * (ux - side * uy), y1 - head * (uy + side * ux), colour,
                   width);
  }
}

}  // namespace

void paintHighlights(Painter& painter, const CellHighlights& highlights, const DisplaySpace& space,
                     const ViewTransform& view, const Theme& theme) {
  const CellBoxes& cells = highlights.cells;
  if (cells.axes != space.axes) return;
  const bool flat = cells.axes < 3;
  const double r = painter.ratio();
  std::vector<std::optional<Pixel>> middles(cells.size());
  for (std::size_t i = cells.size(); i-- > 0;) {  // own cells last, on top
    const auto corners = cornersOf(cells, i, space);
    const bool own = i < highlights.own;
    paintBox(painter, view, corners, flat, own ? theme.accent : theme.line, own ? 2 : 1);
    middles[i] = seen(view, middleOf(corners, flat));
  }
  for (const auto& [from, to] : highlights.arrows)
    if (middles[from] && middles[to]) paintArrow(painter, *middles[from], *middles[to], theme);
  for (std::size_t i = 0; i < std::min(cells.size(), highlights.numbers.size()); ++i) {
    if (!middles[i]) continue;
    const auto corners = cornersOf(cells, i, space);
    const auto low = seen(view, corners[0]);
    const auto high = seen(view, corners[flat ? 3 : 7]);
    const double across = low && high ? std::abs((*high)[0] - (*low)[0]) : 0;
    if (flat && across < 20 * r) continue;
    const std::string number = std::to_string(highlights.numbers[i]);
    const double half = painter.widthOf(number, 12, true) / 2 + 3 * r;
    const auto [x, y] = *middles[i];
    painter.rectangle(x - half, y - 8 * r, 2 * half, 16 * r, theme.ground, 240);
    painter.text(number, x, y, Across::Centre, Along::Centre,
                 i < highlights.own ? theme.accent : theme.text, 12, true);
  }
}

}  // namespace clusterloom
