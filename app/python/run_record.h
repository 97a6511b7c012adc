#pragma once

#include <pybind11/pybind11.h>

#include "engine/core/run_stats.h"

namespace clusterloom::python {

/// Adds to what a run did how it was divided: "passes", how CPU and GPU shared it, with the volume
/// model's prediction beside the measured time, and "query_sets", those of several devices. Both
/// are lists, empty for other runs.
void addDivision(pybind11::dict& run, const RunStats& stats);

}  // namespace clusterloom::python
