#include "render/charts/eps_line.h"

#include <cmath>

#include "render/charts/chart_parts.h"

namespace clusterloom {
namespace {

constexpr double kReach = 5;  // logical pixels around the line in which a press drags it

}  // namespace

void dragLineOrZoom(Chart::Impl& chart, DraggedEps& eps, ZoomPointer& pointer,
                    const PlotArea& area) {
  zoomAlongX(chart, pointer, area);
  const auto drag = [&eps, &area](double y) {
    const double value = epsUnder(eps, area.y, y);
    if (!(value > 0)) return;  // the end of a linear axis
    eps.value = value;
    if (eps.onDrag) eps.onDrag(value, false);
  };
  chart.press = [&chart, &eps, &area, others = chart.press](double x, double y) {
    eps.dragging = area.contains(x, y) && eps.value > 0 &&
                   std::abs(y - area.y.pixel(eps.value)) <= kReach * chart.item->ratio;
    return eps.dragging || others(x, y);
  };
  chart.moved = [&eps, drag, others = chart.moved](double x, double y, bool dragging) {
    if (!eps.dragging) return others(x, y, dragging);
    if (dragging) drag(y);
    return true;
  };
  chart.release = [&eps, others = chart.release] {
    if (!eps.dragging) return others();
    eps.dragging = false;
    if (eps.onDrag) eps.onDrag(eps.value, true);
  };
}

void paintEpsLine(Painter& painter, const PlotArea& area, const DraggedEps& eps,
                  const Theme& theme) {
  if (!(eps.value >= area.y.low && eps.value <= area.y.high)) return;
  const double r = painter.ratio();
  const double y = area.y.pixel(eps.value);
  painter.line(area.left, y, area.right, y, theme.accent, 2);
  paintTag(painter, area, "ε " + shortNumber(eps.value), area.right - 4 * r, y + 3 * r,
           Across::Right, Along::Bottom, theme.accent, theme);
}

}  // namespace clusterloom
