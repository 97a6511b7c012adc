#pragma once

#include <optional>
#include <string>

#include "render/paint/painter.h"
#include "render/paint/theme.h"
#include "render/scene/axes_layout.h"

namespace clusterloom {

/// Paints what of the axes is under the points: grid lines and hidden edges.
void paintAxesUnder(Painter& painter, const AxesLayout& layout, const Theme& theme);

/// Paints the background of the rulers of a flat view and their lines, in a picture of this size.
void paintRulers(Painter& painter, const AxesLayout& layout, const Theme& theme, int width,
                 int height);

/// Paints the axes' ticks, numbers and names.
void paintAxesOver(Painter& painter, const AxesLayout& layout, const Theme& theme);

/// A bar of a round length, with its words. Pixels are device pixels.
struct ScaleBar {
  double length = 0;  ///< of the bar itself
  std::string words;
  double width = 0;  ///< of everything, estimated generously
  double height = 0;
};

/// The longest bar of 1, 2 or 5 · 10^m units that is at most a logical 150 pixels and a third of
/// `space` long. `pixelsPerUnit` is finite and above 0, else there is none; so it is where there is
/// no space.
std::optional<ScaleBar> scaleBarWithin(double pixelsPerUnit, double space, double ratio,
                                       const std::string& unit);

/// Paints it into a box of its width and height, on the ground so that it can be read over points.
void paintScaleBar(Painter& painter, const ScaleBar& bar, const PixelBox& box, const Theme& theme);

}  // namespace clusterloom
