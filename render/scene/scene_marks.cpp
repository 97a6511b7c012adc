#include "render/scene/scene_marks.h"

#include <cmath>
#include <utility>

#include "render/scene/axes_layout.h"
#include "render/scene/cell_overlay.h"

namespace clusterloom {
namespace {

// One of the two is visible on any colour.
constexpr Colour kEdge{0, 0, 0};
constexpr Colour kInside{255, 255, 255};

}  // namespace

void paintCross(Painter& painter, const ViewTransform& view, const std::array<double, 3>& at) {
  double x = 0;
  double y = 0;
  if (!projectPlace(view, at, x, y)) return;
  const double arm = 7 * painter.ratio();
  for (const auto& [colour, width] : {std::pair{kEdge, 4.0}, std::pair{kInside, 1.5}}) {
    painter.line(x - arm, y, x + arm, y, colour, width);
    painter.line(x, y - arm, x, y + arm, colour, width);
  }
}

void paintRing(Painter& painter, const ViewTransform& view, const std::array<double, 3>& at,
               double radius) {
  double x = 0;
  double y = 0;
  if (!projectPlace(view, at, x, y)) return;
  painter.circle(x, y, radius, kEdge, 5);
  painter.circle(x, y, radius, kInside, 2);
}

void paintCircleThrough(Painter& painter, const ViewTransform& view,
                        const std::array<double, 3>& at, const std::array<double, 3>& edge,
                        Colour colour) {
  double x = 0;
  double y = 0;
  double edgeX = 0;
  double edgeY = 0;
  if (projectPlace(view, at, x, y) && projectPlace(view, edge, edgeX, edgeY))
    painter.circle(x, y, std::hypot(edgeX - x, edgeY - y), colour, 1.5);
}

void paintCellOutline(Painter& painter, const ViewTransform& view, const DisplaySpace& space,
                      const CellBoxes& cells, std::size_t cell, Colour colour) {
  if (cell >= cells.size() || cells.axes != space.axes) return;
  const auto corners = cornersOf(cells, cell, space);
  const bool plane = cells.axes < 3;
  for (std::size_t c = 0; c < (plane ? 4U : 8U); ++c) {
    for (std::size_t a = 0; a < (plane ? 2U : 3U); ++a) {
      if ((c >> a & 1U) != 0) continue;
      double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
      if (projectPlace(view, corners[c], x0, y0) &&
          projectPlace(view, corners[c | std::size_t{1} << a], x1, y1))
        painter.line(x0, y0, x1, y1, colour, 2);
    }
  }
}

}  // namespace clusterloom
