#pragma once

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"

namespace clusterloom {

// All queries against all points on a GPU, without an index: the reference of [Gowanlock 2018, §6].
// Tiles of candidates lie in shared memory; a pass decides a distance for each pair. Joins take one
// cloud or two. Throws CudaFailure, CudaStopped; the clouds satisfy `validate`, ε `epsSquared`,
// minPts ≥ 1.

/// Neighbours of every query point within ε.
NeighbourCounts bruteForceCountsOnGpu(GpuRun& run, const JoinInput& input, double squaredEps);

/// Two passes, the second in batches of rows when the table does not fit onto the device. TooLarge
/// when it does not fit into host memory.
Result<NeighbourTable> bruteForceTableOnGpu(GpuRun& run, const JoinInput& input, double squaredEps);

/// The table as a list of pairs. TooLarge as for the table.
Result<PairList> bruteForcePairsOnGpu(GpuRun& run, const JoinInput& input, double squaredEps);

/// The lowest label ≥ 0 within ε of every query point of two clouds; there is a label for each of
/// input.points.
LowestLabels bruteForceLowestLabelsOnGpu(GpuRun& run, const JoinInput& input,
                                         std::span<const std::int32_t> given, double squaredEps);

/// Counts to core flags; then core points take the lowest label among their core neighbours, pass
/// after pass, until none changes; then border points. Without union-find, so that it can check
/// union-find. As many passes as the labels need to settle: a few, seldom more than log n.
Clustering bruteForceDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                                 double squaredEps);

}  // namespace clusterloom
