#pragma once

#include "render/charts/axis_window.h"
#include "render/charts/chart.h"
#include "render/charts/dragged_eps.h"
#include "render/charts/plot_area.h"

namespace clusterloom {

/// Lets the pointer of a chart whose vertical axis is ε drag the line of ε; all other presses, the
/// wheel and the keys zoom, pan and click along the horizontal axis (zoomAlongX). All must live as
/// long as the chart.
void dragLineOrZoom(Chart::Impl& chart, DraggedEps& eps, ZoomPointer& pointer,
                    const PlotArea& area);

/// Draws the line of ε with its value, where it lies in the area.
void paintEpsLine(Painter& painter, const PlotArea& area, const DraggedEps& eps,
                  const Theme& theme);

}  // namespace clusterloom
