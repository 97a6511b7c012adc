#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/neighbour_graph.h"

namespace clusterloom {

/// The results of DBSCAN for several values of ε and of minPts, with one row for each minPts.
struct ParameterMap {
  std::vector<double> eps;
  std::vector<std::int64_t> minPts;
  std::vector<std::uint32_t> clusters;  ///< minPts × eps, like noise and largest
  std::vector<std::uint32_t> noise;     ///< points
  std::vector<std::uint32_t> largest;   ///< points of the largest cluster, border points included

  std::size_t at(std::size_t minPtsIndex, std::size_t epsIndex) const {
    return minPtsIndex * eps.size() + epsIndex;
  }
};

/// Fills the map, exactly, with a hierarchy for each minPts and labels for each ε. BadCall for an ε
/// or a minPts that a hierarchy of the graph refuses; TooLarge, Cancelled.
Result<ParameterMap> parameterMap(const NeighbourGraph& graph, std::vector<double> eps,
                                  std::vector<std::int64_t> minPts, int threads = 0,
                                  const Task& task = {});

}  // namespace clusterloom
