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
  /// A kind that builds hierarchies (engine/join/backend_kinds.h). One that decides takes a GPU for
  /// large clouds where one answers, else the CPU.
  std::string backend = "auto";
  int device = -1;  ///< number of the GPU; −1 takes the first that answers
};

/// By which backend a call was done, and why it was the CPU where that is worth knowing.
struct HierarchyPlace {
  std::string backend = "cpu";
  std::string note;
};

/// Whether a GPU does a call for a cloud of `points` points, if it does not fail.
bool runsOnGpu(const HierarchyProcessor& processor, std::size_t points);

/// Hierarchy::build of the input's points on a processor; a GPU keeps its copy of a prepared cloud.
/// Under "auto" the CPU takes over what a GPU fails at. Only the CPU builds those of periodic
/// boxes, and of Manhattan and Chebyshev distances.
///
/// Of cosine distances it is built of the unit vectors, on a GPU, too
/// (engine/hierarchy/cosine_hierarchy.h); ε is a cosine distance.
///
/// Example:
///
///     HierarchyPlace place;
///     const auto hierarchy = buildHierarchy(cloud, {.minPts = 3}, {"auto"}, {}, &place);
///     if (!hierarchy) return tl::unexpected(hierarchy.error());
///
/// Performance. On a GPU 387 to 402 bytes a point of its memory, and tens of milliseconds for
/// millions of points in few dimensions; in many 19 bytes for each coordinate, and products of all
/// points that are not proven apart (tests/bench/RESULTS.md). "auto" takes one for 100,000 points
/// and more; on a CPU see Hierarchy.
///
/// Parameters. `place`, if given, receives where it was built.
///
/// Errors. Those of Hierarchy::build; BadCall for a name that builds no hierarchies; Unavailable
/// where a GPU is requested that is not in this build or does not answer.
Result<Hierarchy> buildHierarchy(const JoinInput& input, const HierarchyOptions& options,
                                 const HierarchyProcessor& processor, const Task& task = {},
                                 HierarchyPlace* place = nullptr);

/// nearestNeighbours on a processor, in the same way; of two clouds nearestOf
/// (engine/hierarchy/nearest_of.h). Only the CPU does that, and what is in a periodic box or of
/// Manhattan or Chebyshev distances: BadCall where a GPU is asked for it. Of cosine distances the
/// squares of the smallest ε at which DBSCAN joins the two points (squaredCosine).
Result<NearestNeighbours> findNearest(const JoinInput& input, int k, int threads,
                                      const HierarchyProcessor& processor, const Task& task = {},
                                      HierarchyPlace* place = nullptr,
                                      const std::vector<double>& periods = {},
                                      Metric metric = Metric::Euclidean);

/// minimumSpanningTree (engine/hierarchy/minimum_spanning_tree.h), also of cosine distances.
Result<LargeArray<TreeEdge>> findSpanningTree(const PointCloud& cloud,
                                              const HierarchyOptions& options,
                                              const Task& task = {});

}  // namespace clusterloom
