#pragma once

#include <memory>

#include "engine/backend.h"

namespace clusterloom {

/// The CUDA backend on the GPU of that number, or on the first that answers where it is −1;
/// Unavailable, with the reason, when there is none.
/// `instead`, where given, takes over a run that the GPU fails at (its memory is too small, or it
/// is lost), and the stats's note says so; without it such a run is an error.
/// `withMetric` gives joins and DBSCAN by Manhattan and Chebyshev distances in the dimensions of
/// the grid: cells and their neighbours are the same, and lanes compute the distances.
Result<std::unique_ptr<Backend>> makeCudaBackend(std::unique_ptr<Backend> instead = nullptr,
                                                 int device = -1);

}  // namespace clusterloom
