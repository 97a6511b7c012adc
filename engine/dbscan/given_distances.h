#pragma once

#include "engine/cloud/sparse_distances.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// DBSCAN of given distances: scikit-learn's labels for metric="precomputed" and the same sparse
/// matrix. The neighbours of a point are those at a stored distance of at most ε, and itself unless
/// its distance to itself is stored as a larger one. Neighbours need not be mutual
/// (graph_labels.h). Two passes over the matrix by the threads of the caller's TBB arena, and one
/// over the neighbours, which take 8 bytes each, by one thread.
///
/// BadInput for a matrix that checkDistances refuses; BadCall for ε that is not positive and finite
/// and minPts below 1; TooLarge; Cancelled.
Result<Clustering> dbscanOfDistances(const SparseDistances& distances, const DbscanParams& params,
                                     const Task& task = {});

}  // namespace clusterloom
