#pragma once

#include "engine/backend.h"
#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "ui/session/display_state.h"
#include "ui/session/load_result.h"
#include "ui/session/results.h"

namespace clusterloom {

/// Whether the data set has colours of the points: columns of numbers red, green and blue, in any
/// letter case.
bool hasTrueColours(const Dataset& dataset);

/// Whether this colouring needs values besides the clustering.
bool needsColourValues(ColourBy by);

/// The values a display colours by: a dimension in original units, a kept column, the packedColour
/// of the columns red, green and blue (fractions of 1, bytes or 16 bits), or the number of
/// neighbours within ε (density, by `backend` on the scaled cloud). BadCall when the data set has
/// no such column.
Result<ColourValues> colourValuesOf(const DisplayState& display, const Dataset& dataset,
                                    const PointCloud& scaled, double eps, const Strategy& strategy,
                                    const Backend& backend, const Task& task);

/// The same of other rows of the file, coded as the values of the open ones: NaN for categories
/// that these have not. BadCall where their columns are not there.
Result<std::vector<float>> valuesOfRows(const ColourValues& open, const Dataset& rows);

/// The same of the load: candidates of each point as query point, the number of the warp that
/// serves it, or the idle lane-steps that it causes in that warp (NaN for points whose warp per
/// sample left out). A measured load has idle steps per warp only: there every point of a warp has
/// an equal share, and the title says so. BadCall for a colouring that is not of the load.
Result<ColourValues> loadColoursOf(ColourBy by, const LoadResult& load);

}  // namespace clusterloom
