#pragma once

#include <cstdint>
#include <span>

#include "engine/cloud/sparse_distances.h"
#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"

namespace clusterloom {

/// Neighbours by point: those of point p are ids[starts[p]] … ids[starts[p + 1] − 1].
template <class Start = std::int64_t, class Id = std::int64_t>
struct NeighbourLists {
  std::span<const Start> starts;  ///< points + 1, from 0, ascending, to ids.size()
  std::span<const Id> ids;
};
/// The rows of a NeighbourTable (engine/join/join_results.h).
using TableRows = NeighbourLists<std::uint64_t, std::int32_t>;

/// DBSCAN's labels for given neighbours, such as those of a distance of the caller. For each core
/// point without a label, in order, all points without a label that are reached from it through
/// core points get the next number; the others are noise (−1) [Ester 1996, §4.1]. Neighbours need
/// not be mutual: paths follow the lists from the core point on. Where they are mutual, the labels
/// are those of clustering.h. One thread, a pass over the lists.
///
/// BadInput for lists that do not name points, or core flags of another length; Cancelled.
template <class Start, class Id>
Result<LargeArray<std::int32_t>> labelsOfNeighbours(const NeighbourLists<Start, Id>& lists,
                                                    std::span<const std::uint8_t> core,
                                                    const Task& task = {});

/// DBSCAN of these neighbours: points with minPts of them or more are core. There is at least one
/// point. Errors as above.
template <class Start, class Id>
Result<Clustering> clusteringOf(const NeighbourLists<Start, Id>& lists, const DbscanParams& params,
                                const Task& task);

/// DBSCAN of given distances: scikit-learn's labels for metric="precomputed" and the same sparse
/// matrix. The neighbours of a point are those at a stored distance of at most ε, and itself unless
/// its distance to itself is stored as a larger one. Neighbours need not be mutual.
/// Two passes over the matrix by the threads of the caller's TBB arena, and one over the
/// neighbours, which take 8 bytes each, by one thread.
///
/// BadInput for a matrix that checkDistances refuses; BadCall for ε that is not positive and finite
/// and minPts below 1; TooLarge; Cancelled.
Result<Clustering> dbscanOfDistances(const SparseDistances& distances, const DbscanParams& params,
                                     const Task& task = {});

}  // namespace clusterloom
