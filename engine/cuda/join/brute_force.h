#pragma once

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"

namespace clusterloom {

// All points against all on a GPU, without an index: the reference of [Gowanlock 2018, §6]. Tiles
// of candidates lie in shared memory; n² distances per pass. Throws CudaFailure, CudaStopped; the
// cloud satisfies `validate`, ε `epsSquared`, minPts ≥ 1.

/// Neighbours of every point within ε, itself included.
NeighbourCounts bruteForceCountsOnGpu(GpuRun& run, const PointCloud& cloud, double squaredEps);

/// Two passes, the second in batches of rows when the table does not fit onto the device. TooLarge
/// when it does not fit into host memory.
Result<NeighbourTable> bruteForceTableOnGpu(GpuRun& run, const PointCloud& cloud,
                                            double squaredEps);

/// The table as a list of pairs. TooLarge as for the table.
Result<PairList> bruteForcePairsOnGpu(GpuRun& run, const PointCloud& cloud, double squaredEps);

/// Counts to core flags; then core points take the lowest label among their core neighbours, pass
/// after pass, until none changes; then border points. No union-find, so that it can check that. As
/// many passes as the labels take to settle: a few, seldom more than log n.
Clustering bruteForceDbscanOnGpu(GpuRun& run, const PointCloud& cloud, const DbscanParams& params,
                                 double squaredEps);

}  // namespace clusterloom
