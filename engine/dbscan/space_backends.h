#pragma once

#include <memory>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/space.h"

namespace clusterloom {

/// `backend` with the distances of a periodic box, for joins and DBSCAN of any strategy that it
/// supports: its input is the wrapped cloud (engine/join/periodic_box.h), and results equal a
/// comparison of all pairs by min(|d|, L − |d|).
///
/// Joins compare the points with the points and their images within ε of the box, as a join of two
/// clouds, so that strategies for one cloud only are refused. DBSCAN clusters the points with their
/// images within 2ε, which gives those within ε all their neighbours, and then merges the clusters
/// of core points that are images of each other.
///
/// BadCall unless there is one period for each dimension and ε is below half of each; for `load`.
std::unique_ptr<Backend> makePeriodicBackend(std::shared_ptr<const Backend> backend,
                                             std::vector<double> periods);

/// `backend` for a space whose points become unit vectors and whose ε becomes their distance: a
/// sphere, on which two points are neighbours when the great circle between them is at most ε long
/// (engine/cloud/directions.h; poles and the date line are points like others), or cosine
/// distances (engine/cloud/directions.h). Every strategy answers as for the vectors. BadCall for
/// `histogram`, whose bins are equal steps of the distance, and for `load`.
std::unique_ptr<Backend> makeUnitVectorBackend(std::shared_ptr<const Backend> backend,
                                               const Space& space);

/// Whether distances of a space can be counted in a histogram. BadCall for those by unit vectors.
Result<void> checkHistogram(const Space& space);

}  // namespace clusterloom
