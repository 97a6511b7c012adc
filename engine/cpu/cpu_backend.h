#pragma once

#include <memory>

#include "engine/backend.h"

namespace clusterloom {

/// The lane programs on CPU threads. `threads` = 0: as many as the machine has.
std::unique_ptr<Backend> makeCpuBackend(int threads);

/// The CPU by trees of points (engine/cpu/tree_join.h): all but `load`, in any number of
/// dimensions, of one cloud or two, without options of a strategy. Candidates are the points that
/// were compared, or the neighbours where these are more. `metric` is Euclidean, which is the
/// method `kd-tree`, Manhattan or Chebyshev (engine/core/metric.h).
std::unique_ptr<Backend> makeTreeBackend(int threads, Metric metric);

}  // namespace clusterloom
