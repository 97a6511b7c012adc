#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cloud/sparse_distances.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"

namespace clusterloom {

/// The dendrogram of points whose mutual reachability is given by edges, such as that of a distance
/// of the caller: all pairs, a minimum spanning tree, or the edges of a sparse graph. Kruskal's
/// algorithm, on the threads of the caller's TBB arena for the sort.
///
/// BadInput without points, for an edge to no point, a weight that is NaN or below 0, and edges
/// that do not connect all points; Cancelled.
Result<Dendrogram> dendrogramOfGraph(std::size_t points, std::vector<TreeEdge> edges,
                                     const Task& task = {});

/// TooLarge where a hierarchy of points with `stored` distances between them, and `bytesOfEach`
/// bytes for each distance, would not fit into the free memory.
Result<void> checkDistancesFit(std::uint64_t points, std::uint64_t stored,
                               std::uint64_t bytesOfEach);

/// The dendrogram of given distances, as scikit-learn's HDBSCAN takes a sparse matrix with
/// metric="precomputed": the core distance of a point is the minPts-th smallest that its row
/// stores, so that it counts itself where a distance to itself is stored. At most 16 bytes for each
/// stored distance.
///
/// TooLarge where these do not fit into the memory; BadInput for a matrix that checkDistances or
/// checkSymmetric refuses, rows of fewer than minPts distances, and points in several parts without
/// a stored distance between them; Cancelled.
Result<Dendrogram> dendrogramOfDistances(const SparseDistances& distances, std::int64_t minPts,
                                         const Task& task = {});

}  // namespace clusterloom
