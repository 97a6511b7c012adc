#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"

namespace clusterloom {

/// The points of one cluster, dimension-major: coordinate j of point i is at j × size + i. Point i
/// is ids[i] of the cloud; ids ascend.
struct ClusterPoints {
  std::span<const std::uint32_t> ids;
  std::size_t dims = 0;
  LargeArray<double> coordinates;

  std::size_t size() const { return ids.size(); }
};

/// Points compared at once: their distances stay in the first cache.
inline constexpr std::size_t kBlock = 512;

/// Copies the points of a cluster. Throws std::bad_alloc.
ClusterPoints gather(const PointCloud& cloud, std::span<const std::uint32_t> ids);

/// The canonical squared distances of a point, whose coordinate j is at[j], to points [begin, begin
/// + count) of an array of coordinates as in ClusterPoints. count ≤ kBlock.
void squaredDistances(const double* at, const double* coordinates, std::size_t size,
                      std::size_t dims, std::size_t begin, std::size_t count, double* squared);

}  // namespace clusterloom
