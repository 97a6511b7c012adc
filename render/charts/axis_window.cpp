#include "render/charts/axis_window.h"

#include <algorithm>
#include <cmath>

#include "render/charts/chart_parts.h"

namespace clusterloom {
namespace {

constexpr double kNotch = 1.25;      // zoom of one notch of the wheel
constexpr double kDragPixels = 3;    // a press that moves further is a drag
constexpr double kArrowShare = 0.1;  // of what is on show, panned by an arrow key

bool takeKey(ZoomPointer& pointer, ChartKey key) {
  AxisWindow& window = pointer.window;
  const double middle = (window.low + window.high) / 2;
  const double part = kArrowShare * (window.high - window.low);
  switch (key) {
    case ChartKey::Left:
    case ChartKey::Right: {
      const int by = key == ChartKey::Left ? -1 : 1;
      if (pointer.onStep)
        pointer.onStep(by);
      else
        window.moveTo(window.low + by * part);
      return true;
    }
    case ChartKey::ZoomIn: window.zoom(kNotch, middle); return true;
    case ChartKey::ZoomOut: window.zoom(1 / kNotch, middle); return true;
    case ChartKey::All: window.showAll(); return true;
    case ChartKey::Up:
    case ChartKey::Down:
    case ChartKey::Take:
    case ChartKey::None: break;
  }
  return false;
}

}  // namespace

void AxisWindow::setFull(double newLow, double newHigh, double newLeast) {
  least = newLeast;
  if (newLow == fullLow && newHigh == fullHigh) return;
  fullLow = newLow;
  fullHigh = newHigh;
  showAll();
}

void AxisWindow::showAll() {
  low = fullLow;
  high = fullHigh;
}

void AxisWindow::zoom(double factor, double about) {
  const double whole = fullHigh - fullLow;
  const double width = std::clamp((high - low) / factor, std::min(least, whole), whole);
  const double share = high > low ? (about - low) / (high - low) : 0.5;
  low = about - share * width;
  high = low + width;
  moveTo(low);
}

void AxisWindow::moveTo(double newLow) {
  const double width = high - low;
  low = std::clamp(newLow, fullLow, std::max(fullLow, fullHigh - width));
  high = low + width;
}

void AxisWindow::reveal(double value) {
  if (value < low) moveTo(value - (high - low) / 10);
  if (value > high) moveTo(value - (high - low) * 9 / 10);
}

void layOut(PlotArea& area, const Chart::Impl& chart, const AxisWindow& window, double top) {
  area.layOut(chart.width, chart.height, chart.item->ratio, false);
  area.x.low = window.low;
  area.x.high = window.high;
  area.y.low = 0;
  area.y.high = top;
}

void zoomAlongX(Chart::Impl& chart, ZoomPointer& pointer, const PlotArea& area) {
  chart.press = [&pointer, &area](double x, double y) {
    if (!area.contains(x, y)) return false;
    pointer.pressed = true;
    pointer.dragged = false;
    pointer.x = pointer.pressX = x;
    pointer.y = y;
    pointer.pressLow = pointer.window.low;
    return true;
  };
  chart.moved = [&pointer, &area, &chart](double x, double y, bool dragging) {
    pointer.x = x;
    pointer.y = y;
    pointer.hovering = true;
    if (!dragging || !pointer.pressed) return true;
    if (std::abs(x - pointer.pressX) > kDragPixels * chart.item->ratio) pointer.dragged = true;
    if (pointer.dragged) {
      const double perPixel =
          (pointer.window.high - pointer.window.low) / std::max(1.0, area.right - area.left);
      pointer.window.moveTo(pointer.pressLow - (x - pointer.pressX) * perPixel);
    }
    return true;
  };
  chart.release = [&pointer, &chart] {
    // Its data may have gone since the button was pressed.
    const bool click = pointer.pressed && !pointer.dragged && !chart.empty;
    pointer.pressed = pointer.dragged = false;
    if (click && pointer.onClick) pointer.onClick(pointer.pressX, pointer.y);
  };
  chart.leave = [&pointer] { pointer.hovering = false; };
  chart.wheel = [&pointer, &area](double x, double y, int notches) {
    if (!area.contains(x, y)) return false;
    const double share = (x - area.left) / std::max(1.0, area.right - area.left);
    pointer.window.zoom(std::pow(kNotch, notches),
                        std::lerp(pointer.window.low, pointer.window.high, share));
    return true;
  };
  chart.zoomed = [&pointer] { return !pointer.window.isWhole(); };
  chart.key = [&pointer](ChartKey key) { return takeKey(pointer, key); };
}

}  // namespace clusterloom
