#pragma once

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

}  // namespace clusterloom
