#pragma once

#include "engine/core/task.h"
#include "engine/cpu/candidate_scan.h"
#include "engine/grid/row_window.h"

namespace clusterloom {

/// Whether any position in `a` is within ε of any in `b`; both non-empty. Halves the larger side
/// along its longest dimension, nearer halves first, and drops halves whose bounding boxes are too
/// far apart by the canonical expression, so that two large cells facing each other across just
/// more than ε cost about their sizes, not the product. False when stopped.
bool anyPairWithin(const CandidateScan& scan, IndexRange a, IndexRange b, const Task& task);

}  // namespace clusterloom
