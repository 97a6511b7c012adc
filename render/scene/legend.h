#pragma once

#include <string>

#include "render/paint/painter.h"
#include "render/paint/theme.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cloud_scene.h"

namespace clusterloom {

/// Paints the legend of a scalar: a bar with real numbers, right edge at `right`, middle at height
/// `middle` (device pixels).
void paintLegend(Painter& painter, const ScalarLegend& legend, double right, double middle,
                 const Theme& theme);

}  // namespace clusterloom
