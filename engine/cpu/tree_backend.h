#pragma once

#include <memory>

#include "engine/backend.h"

namespace clusterloom {

/// The CPU with Manhattan or Chebyshev distances (engine/core/metric.h), by trees of points
/// (engine/cpu/tree_join.h): all but `load`, in any number of dimensions, of one cloud or two,
/// without options of a strategy. Candidates are the points that were compared. `metric` must be
/// one of the two.
std::unique_ptr<Backend> makeTreeBackend(int threads, Metric metric);

}  // namespace clusterloom
