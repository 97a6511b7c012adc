#pragma once

#include "render/charts/axis_window.h"
#include "render/charts/chart.h"
#include "render/charts/plot_area.h"

namespace clusterloom {

/// The ε of a chart, which can be dragged along one of its axes, and where the pointer is.
struct DraggedEps {
  double value = 0;
  bool dragging = false;
  bool hovering = false;
  double pointerX = 0;  ///< device pixels
  double pointerY = 0;
  DragFn onDrag;
  /// The value to take instead of the one under the pointer; empty: that one.
  std::function<double(double)> snap;

  /// Sets ε from outside; has no effect during a drag.
  void set(double eps) {
    if (!dragging) value = eps;
  }
  /// Whether the pointer rests over the area without dragging.
  bool hoversOver(const PlotArea& area) const {
    return hovering && !dragging && area.contains(pointerX, pointerY);
  }
};

/// The ε that a pixel of the axis means: the roundest value that the pixel covers.
double epsAt(const PlotAxis& axis, double pixel);

/// The ε that a press at this pixel of the axis takes.
double epsUnder(const DraggedEps& eps, const PlotAxis& axis, double pixel);

/// Lets the pointer of a chart drag `eps` along x or y of `area`. Both must live as long as the
/// chart.
void dragAlongX(Chart::Impl& chart, DraggedEps& eps, const PlotArea& area);
void dragAlongY(Chart::Impl& chart, DraggedEps& eps, const PlotArea& area);

/// Lets the pointer of a chart whose vertical axis is ε drag the line of ε; all other presses, the
/// wheel and the keys zoom, pan and click along the horizontal axis (zoomAlongX). All must live as
/// long as the chart.
void dragLineOrZoom(Chart::Impl& chart, DraggedEps& eps, ZoomPointer& pointer,
                    const PlotArea& area);

/// Draws the line of ε with its value, where it lies in the area.
void paintEpsLine(Painter& painter, const PlotArea& area, const DraggedEps& eps,
                  const Theme& theme);

}  // namespace clusterloom
