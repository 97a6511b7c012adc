#pragma once

#include "render/charts/chart_parts.h"
#include "render/charts/plot_area.h"

namespace clusterloom {

/// Where the pointer is over a chart that shows what is under it and takes no drags.
struct Hover {
  bool hovering = false;
  double x = 0;  ///< device pixels
  double y = 0;

  bool isOver(const PlotArea& area) const { return hovering && area.contains(x, y); }
};

/// Keeps `hover` up to date. It must live as long as the chart.
inline void followPointer(Chart::Impl& chart, Hover& hover) {
  chart.moved = [&hover](double x, double y, bool) {
    hover = {true, x, y};
    return true;
  };
  chart.leave = [&hover] { hover.hovering = false; };
}

}  // namespace clusterloom
