#include "render/charts/dragged_eps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/charts/chart_parts.h"

namespace clusterloom {
namespace {

void take(DraggedEps& eps, const PlotAxis& axis, double pixel) {
  const double value = epsUnder(eps, axis, pixel);
  // The end of a linear axis is no ε: the one before stays, with which the drag can end.
  if (!(value > 0)) return;
  eps.value = value;
  if (eps.onDrag) eps.onDrag(value, false);
}

// `takeAt(x, y)` moves ε to where the pointer is.
template <class TakeAt>
void drag(Chart::Impl& chart, DraggedEps& eps, const PlotArea& area, TakeAt takeAt) {
  chart.eps = &eps;
  chart.press = [&eps, &area, takeAt](double x, double y) {
    if (!area.contains(x, y)) return false;
    eps.dragging = true;
    takeAt(x, y);
    return true;
  };
  chart.moved = [&eps, takeAt](double x, double y, bool dragging) {
    eps.pointerX = x;
    eps.pointerY = y;
    eps.hovering = true;
    if (dragging) takeAt(x, y);
    return true;
  };
  chart.release = [&eps] {
    eps.dragging = false;
    if (eps.onDrag && eps.value > 0) eps.onDrag(eps.value, true);
  };
  chart.leave = [&eps] { eps.hovering = false; };
}

constexpr double kReach = 5;  // logical pixels around the line in which a press drags it

}  // namespace

void EpsChart::setEps(double eps) { impl_->eps->set(eps); }

double EpsChart::eps() const { return impl_->eps->value; }

void EpsChart::setOnDrag(DragFn onDrag) { impl_->eps->onDrag = std::move(onDrag); }

double epsAt(const PlotAxis& axis, double pixel) {
  const double at = std::clamp(pixel, axis.from, axis.to);
  const double here = axis.value(at);
  const double one = axis.value(std::max(axis.from, at - 0.5));
  const double other = axis.value(std::min(axis.to, at + 0.5));
  const double low = std::min(one, other);
  // At the end of a linear axis nothing above 0 may be left of the pixel.
  return low > 0 ? roundestWithin(low, std::max(one, other)) : here;
}

double epsUnder(const DraggedEps& eps, const PlotAxis& axis, double pixel) {
  const double value = epsAt(axis, pixel);
  return eps.snap ? eps.snap(value) : value;
}

void dragAlongX(Chart::Impl& chart, DraggedEps& eps, const PlotArea& area) {
  drag(chart, eps, area, [&eps, &area](double x, double) { take(eps, area.x, x); });
}

void dragAlongY(Chart::Impl& chart, DraggedEps& eps, const PlotArea& area) {
  drag(chart, eps, area, [&eps, &area](double, double y) { take(eps, area.y, y); });
}

void dragLineOrZoom(Chart::Impl& chart, DraggedEps& eps, ZoomPointer& pointer,
                    const PlotArea& area) {
  zoomAlongX(chart, pointer, area);
  chart.eps = &eps;
  chart.press = [&chart, &eps, &area, others = chart.press](double x, double y) {
    eps.dragging = area.contains(x, y) && eps.value > 0 &&
                   std::abs(y - area.y.pixel(eps.value)) <= kReach * chart.item->ratio;
    return eps.dragging || others(x, y);
  };
  chart.moved = [&eps, &area, others = chart.moved](double x, double y, bool dragging) {
    if (!eps.dragging) return others(x, y, dragging);
    if (dragging) take(eps, area.y, y);
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
