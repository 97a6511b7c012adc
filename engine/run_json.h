#pragma once

#include <nlohmann/json.hpp>

#include "engine/core/run_stats.h"

namespace clusterloom {

/// JSON objects that keep the order in which fields were added.
using Json = nlohmann::ordered_json;

/// Adds index_dims backend threads strategy cells batches distance_calculations batch_model kernels
/// sharing passes ranks query_sets, and note if there is one. What was not counted is left out. The
/// one description of a run that the command line prints and Python returns.
void addStats(Json& object, const RunStats& stats);

}  // namespace clusterloom
