#pragma once

#include <string>
#include <vector>

#include "render/paint/painter.h"
#include "render/paint/theme.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cloud_scene.h"

namespace clusterloom {

/// Where a legend goes: beside the middle of the right edge or in a corner.
enum class LegendPlace { Right, TopRight, BottomRight, TopLeft, BottomLeft };

/// A box of this size at that place of `area`, all in pixels.
PixelBox boxAt(LegendPlace place, double width, double height, const PixelBox& area, double margin);

/// The points (x, y, x, y, …) within a box.
std::size_t pointsWithin(const PixelBox& box, const std::vector<double>& pixels);

/// The pixels that a legend covers in `area`, its width estimated generously. A long title is
/// broken into lines rather than that it takes much of the width.
PixelBox legendBox(const ScalarLegend& legend, LegendPlace place, const PixelBox& area,
                   double ratio);

/// The place where a legend covers fewest of these pixels (x, y, x, y, …). `now` is kept unless
/// another is clearly better, so that the legend does not jump.
LegendPlace leastCovered(const ScalarLegend& legend, const std::vector<double>& pixels,
                         const PixelBox& area, double ratio, LegendPlace now);

/// Paints the legend of a scalar, a bar with real numbers, into `box`.
void paintLegend(Painter& painter, const ScalarLegend& legend, const PixelBox& box,
                 const Theme& theme);

/// Two lines of text at the top left of a picture; either may be empty.
struct Caption {
  std::string text;
  std::string detail;  ///< fainter, below `text`
};

/// Height in device pixels; 0 without text.
double captionHeight(const Caption& caption, double ratio);

/// Paints a caption whose text starts 12 logical pixels right of `left`, below the top of a picture
/// of this height (device pixels).
void paintCaption(Painter& painter, const Caption& caption, const Theme& theme, double left,
                  int height);

}  // namespace clusterloom
