#pragma once

#include <string>
#include <vector>

#include "engine/core/run_stats.h"

namespace clusterloom::cli {

/// What the batch-size model predicted beside what the joins took, a line of a summary for each,
/// with a line break before it; empty where nothing was predicted.
std::string batchModelLines(const std::vector<BatchPrediction>& predictions);

}  // namespace clusterloom::cli
