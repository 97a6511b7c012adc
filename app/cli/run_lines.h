#pragma once

#include <string>
#include <vector>

#include "engine/core/rank_stats.h"
#include "engine/core/run_stats.h"
#include "engine/core/shared_pass.h"

namespace clusterloom::cli {

// Lines of a summary about what a run shared or predicted, each with a line break before it; empty
// where there is nothing to say.

/// The predictions of the batch-size model and the measured times of the joins, a line for each.
std::string batchModelLines(const std::vector<BatchPrediction>& predictions);

/// The time that the model of a fixed share predicted [Gallet 2020, eq. 1 to 3] beside what the
/// pass took.
std::string divisionModelLine(const SharedPass& pass);

/// The times of query sets [Gowanlock 2019, figure 10], a line for each stage.
std::string querySetLines(const std::vector<QuerySetStats>& sets);

/// What each kernel of a run on a GPU cost, a line for each; registers and occupancy where they are
/// known.
std::string kernelLines(const std::vector<KernelStats>& kernels);

}  // namespace clusterloom::cli
