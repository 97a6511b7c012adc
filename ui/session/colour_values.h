#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/cloud/dataset.h"
#include "engine/result.h"
#include "engine/task.h"
#include "ui/session/display_state.h"
#include "ui/session/results.h"

namespace clusterloom {

/// Whether this colouring needs values beside the clustering itself.
bool needsColourValues(ColourBy by);

/// The values a display colours by: a dimension in original units, a kept column, or the number of
/// neighbours within ε (density, by `backend` on the scaled cloud). BadCall when the data set has
/// no such column.
Result<ColourValues> colourValuesOf(const DisplayState& display, const Dataset& dataset,
                                    const PointCloud& scaled, double eps, const Strategy& strategy,
                                    const Backend& backend, const Task& task);

}  // namespace clusterloom
