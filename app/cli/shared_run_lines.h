#pragma once

#include <string>
#include <vector>

#include "engine/core/rank_stats.h"
#include "engine/core/shared_pass.h"

namespace clusterloom::cli {

/// The time that the model of a fixed share predicted [Gallet 2020, eq. 1 to 3] beside what the
/// pass took: a line of a summary with a line break before it; empty without a model.
std::string divisionModelLine(const SharedPass& pass);

/// The times of query sets [Gowanlock 2019, figure 10]: for each stage a line of a summary with a
/// line break before it; empty where there are none.
std::string querySetLines(const std::vector<QuerySetStats>& sets);

}  // namespace clusterloom::cli
