#pragma once

#include "engine/core/task.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// Sorts each row of a table, on all threads. False when the task was stopped.
bool sortRows(NeighbourTable& table, const Task& task);

}  // namespace clusterloom
