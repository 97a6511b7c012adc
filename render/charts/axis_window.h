#pragma once

#include <functional>

#include "render/charts/chart.h"
#include "render/charts/plot_area.h"

namespace clusterloom {

/// The visible part of a chart's horizontal axis.
struct AxisWindow {
  double fullLow = 0;
  double fullHigh = 1;
  double least = 1e-3;  ///< never shows less than this
  double low = 0;
  double high = 1;

  /// Another axis; shows all of it. The same axis again keeps the visible part.
  void setFull(double newLow, double newHigh, double newLeast);
  void showAll();
  /// Zooms by `factor` about the value `about`.
  void zoom(double factor, double about);
  /// Moves so that `newLow` is at the left edge, as far as the axis goes.
  void moveTo(double newLow);
  /// Moves as little as needed to show `value`.
  void reveal(double value);
  bool isWhole() const { return low <= fullLow && high >= fullHigh; }
};

/// The pointer and keys of a chart whose horizontal axis can be zoomed (wheel, + and −) and panned
/// (drag, arrow keys); a double click or Home shows all of it. A press without a drag is a click.
struct ZoomPointer {
  AxisWindow window;
  bool hovering = false;
  bool pressed = false;
  bool dragged = false;  ///< the press has become a drag
  double x = 0;          ///< of the pointer, device pixels
  double y = 0;
  double pressX = 0;
  double pressLow = 0;  ///< window.low when pressed
  std::function<void(double x, double y)> onClick;
  std::function<void(int by)> onStep;  ///< arrow keys; unset: they pan

  bool hoversOver(const PlotArea& area) const {
    return hovering && !dragged && area.contains(x, y);
  }
};

/// Lays out the area of a chart with such an axis: the visible part across, 0 to `top` upwards.
void layOut(PlotArea& area, const Chart::Impl& chart, const AxisWindow& window, double top);

/// Binds the pointer and the keys of a chart. All must live as long as the chart.
void zoomAlongX(Chart::Impl& chart, ZoomPointer& pointer, const PlotArea& area);

}  // namespace clusterloom
