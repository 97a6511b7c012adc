#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clusterloom {

/// Statistics of one cluster.
struct ClusterStatistics {
  std::int32_t label = 0;
  std::uint64_t size = 0;
  std::uint64_t core = 0;  ///< core and border: both 0 where the roles are not known
  std::uint64_t border = 0;
  std::vector<double> low;  ///< bounding box, one per dimension; NaN for a cluster without points,
                            ///< which may occur in labels that were read
  std::vector<double> high;
  std::vector<double> centroid;  ///< mean of its points
  double density = 0;            ///< points per unit volume of the bounding box's non-flat
                                 ///< dimensions; +∞ when all are flat
  std::int32_t nearest = -1;  ///< cluster with the nearest centroid, the lowest of equals; −1 when
                              ///< there is no other or too many to search (a warning then says so)
  double nearestDistance = 0;  ///< distance between the two centroids
};

/// Statistics of a clustering.
struct ClusteringStatistics {
  std::vector<ClusterStatistics> clusters;  ///< by label
  std::vector<std::string> redFlags;  ///< sentences such as "almost every point is in one cluster"
};

}  // namespace clusterloom
