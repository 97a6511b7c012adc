#pragma once

#include <string>

#include "render/axes_layout.h"
#include "render/cloud_scene.h"
#include "render/painter.h"
#include "render/theme.h"

namespace clusterloom {

/// Paints what the colours of a scalar mean: a bar with real numbers, right edge at `right`, middle
/// at height `middle` (device pixels).
void paintLegend(Painter& painter, const ScalarLegend& legend, double right, double middle,
                 const Theme& theme);

}  // namespace clusterloom
