#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/metric.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/join/join_input.h"

namespace clusterloom {

/// Where nearest neighbours and hierarchies are computed. The results are the same everywhere.
struct HierarchyProcessor {
  /// A kind that builds hierarchies (engine/join/backend_kinds.h). A kind that `decides` takes a
  /// GPU for large clouds where one answers, else the CPU.
  std::string backend = "auto";
  int device = -1;  ///< number of the GPU; −1 takes the first that answers
};

/// BadCall for a backend that computes neither, and for a GPU of one without. The functions below
/// check it, too.
Result<void> checkProcessor(const HierarchyProcessor& processor);

/// The backend that did a call, and why it was the CPU where the user should know.
struct HierarchyPlace {
  std::string backend = "cpu";
  std::string note;
};

/// Whether a GPU does a call for a cloud of `points` points, if it does not fail.
bool runsOnGpu(const HierarchyProcessor& processor, std::size_t points);

/// Hierarchy::build of the input's points on a processor; a GPU keeps its copy of a prepared cloud.
/// Under "auto" the CPU takes over where a GPU fails. Only the CPU builds hierarchies of periodic
/// boxes and of Manhattan and Chebyshev distances.
///
/// For cosine distances the hierarchy is built from the unit vectors, also on a GPU
/// (engine/hierarchy/cosine_hierarchy.h); ε is a cosine distance.
///
/// Example:
///
///     HierarchyPlace place;
///     const auto hierarchy = buildHierarchy(cloud, {.minPts = 3}, {"auto"}, {}, &place);
///     if (!hierarchy) return tl::unexpected(hierarchy.error());
///
/// Performance. On a GPU 387 to 402 bytes of device memory a point, and tens of milliseconds for
/// millions of points in few dimensions; in many dimensions 19 bytes for each coordinate, and
/// products of all pairs of points that are not proven far apart (tests/bench/RESULTS.md). "auto"
/// takes a GPU for 100,000 points and more; for the CPU see Hierarchy.
///
/// Parameters. `place`, if given, receives where it was built.
///
/// Errors. Those of Hierarchy::build; BadInput where a square that is needed overflows or
/// underflows (engine/hierarchy/exact_squares.h); BadCall for a name that builds no hierarchies;
/// Unavailable where a GPU is requested that is not in this build or does not answer.
Result<Hierarchy> buildHierarchy(const JoinInput& input, const HierarchyOptions& options,
                                 const HierarchyProcessor& processor, const Task& task = {},
                                 HierarchyPlace* place = nullptr);

/// nearestNeighbours on a processor, in the same way; for two clouds nearestOf
/// (engine/hierarchy/nearest_neighbours.h). Two clouds, periodic boxes, and Manhattan and Chebyshev
/// distances are for the CPU only: BadCall where a GPU is requested for them. For cosine distances
/// the results are the squares of the smallest ε at which DBSCAN joins the two points
/// (squaredCosine), ties by id; where several points are tied for the k-th place, lengths of chords
/// decide which of them is found. BadInput for squares as above.
Result<NearestNeighbours> findNearest(const JoinInput& input, int k, int threads,
                                      const HierarchyProcessor& processor, const Task& task = {},
                                      HierarchyPlace* place = nullptr,
                                      const std::vector<double>& periods = {},
                                      Metric metric = Metric::Euclidean);

/// minimumSpanningTree (engine/hierarchy/minimum_spanning_tree.h), also for cosine distances.
/// BadInput for squares as above.
Result<LargeArray<TreeEdge>> findSpanningTree(const PointCloud& cloud,
                                              const HierarchyOptions& options,
                                              const Task& task = {});

}  // namespace clusterloom
