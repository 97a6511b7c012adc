#pragma once

#include <string>
#include <vector>

#include "render/paint/painter.h"
#include "render/paint/theme.h"
#include "render/paint/ticks.h"

namespace clusterloom {

/// One axis of a chart: a range and how it maps to pixels.
struct PlotAxis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  double from = 0;     ///< pixel of low
  double to = 1;       ///< pixel of high
  bool whole = false;  ///< values are whole numbers: no ticks between them

  /// On a logarithmic axis 0 and below are at its low end.
  double pixel(double value) const;
  double value(double pixel) const;
  Ticks ticks(int most) const;
};

/// The rectangle in which a chart plots, its axes, and what is painted around it.
struct PlotArea {
  PlotAxis x;
  PlotAxis y;
  double left = 0, bottom = 0, right = 0, top = 0;  ///< device pixels
  double width = 0, height = 0;                     ///< of the whole chart

  /// Lays the rectangle into a window, leaving space for numbers and titles; `rightNumbers` also on
  /// the right side.
  void layOut(int width, int height, double ratio, bool rightNumbers);
  bool contains(double px, double py) const {
    return px >= left && px <= right && py >= bottom && py <= top;
  }
};

/// The text, or as much of its beginning as fits into `room` device pixels, then "…".
std::string fitted(Painter& painter, const std::string& words, double room, double size);

/// The left and bottom axes themselves and their titles, for a chart with marks of its own.
void paintFrame(Painter& painter, const PlotArea& area, const Theme& theme,
                const std::string& xTitle, const std::string& yTitle);

/// The numbers of the bottom axis, with grid lines or short marks; `units`: as unitLabels.
void paintNumbersBelow(Painter& painter, const PlotArea& area, const Theme& theme, bool grid,
                       bool units = false);

/// Grid lines, numbers and titles of the left and bottom axes.
void paintAxes(Painter& painter, const PlotArea& area, const Theme& theme,
               const std::string& xTitle, const std::string& yTitle);

/// A curve through the points (values), clipped to the area.
void paintCurve(Painter& painter, const PlotArea& area, const PlotAxis& yAxis,
                const std::vector<double>& x, const std::vector<double>& y, Colour colour,
                double width);

/// A text on a background patch, kept within the area: in several lines, broken at " · ", where it
/// is wider.
void paintTag(Painter& painter, const PlotArea& area, const std::string& words, double x, double y,
              Across across, Along along, Colour colour, const Theme& theme);

/// The same beside the pointer.
void paintTag(Painter& painter, const PlotArea& area, const std::string& words, double pointerX,
              double pointerY, const Theme& theme);

/// Large numbers for display: 1.2 M, 35 G.
std::string withUnit(double value);

/// The texts of ticks at large numbers: with units where these have no more than their three
/// digits, so that no two ticks have the same text.
std::vector<std::string> unitLabels(const Ticks& ticks);

}  // namespace clusterloom
