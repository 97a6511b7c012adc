#pragma once

#include "engine/backend.h"
#include "engine/cuda/runtime/device.h"
#include "engine/join/distance_bins.h"

namespace clusterloom {

// The method `products` on a GPU: coordinates are rounded to bytes, matrix units multiply them
// exactly, and rounding alone leaves pairs open (engine/product/product_reach.h). Joins take one
// cloud or two. Throws CudaFailure, CudaStopped; the clouds satisfy `validate`, ε `epsSquared`,
// minPts ≥ 1. Needs compute capability kLeastMajorOfProducts (product_tiles.h).

/// Neighbours of every query point within ε.
NeighbourCounts productCountsOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                   double squaredEps);

/// Rows of neighbours, ascending. TooLarge when they do not fit into host memory; `bytesEach` of
/// that the caller will need for a pair.
Result<NeighbourTable> productTableOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                         double squaredEps,
                                         std::uint64_t bytesEach = sizeof(std::int32_t));

/// The table as a list of pairs. TooLarge as for the table.
Result<PairList> productPairsOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                   double squaredEps);

/// Ordered pairs by distance: a list of pairs at a time has its exact distances computed, in the
/// order of the predicate. Memory on the device: 8 bytes more for each coordinate where they are
/// free.
DistanceHistogram productHistogramOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                        double squaredEps, const DistanceBins& bins);

/// The lowest label ≥ 0 within ε of every query point of two clouds; there is a label for each of
/// input.points.
LowestLabels productLowestLabelsOnGpu(GpuRun& run, const JoinInput& input,
                                      std::span<const std::int32_t> given, double eps,
                                      double squaredEps);

/// Counts to core flags, unions of core points, labels of border points: from one list of pairs
/// where it fits, else by a search for each.
Clustering productDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                              double squaredEps);

}  // namespace clusterloom
