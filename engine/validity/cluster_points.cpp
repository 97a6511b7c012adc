#include "engine/validity/cluster_points.h"

#include <algorithm>

#include "engine/core/instruction_sets.h"

namespace clusterloom {

ClusterPoints gather(const PointCloud& cloud, std::span<const std::uint32_t> ids) {
  ClusterPoints points{ids, cloud.dims(), {}};
  points.coordinates.resize(ids.size() * cloud.dims());
  double* to = points.coordinates.data();
  for (const Coordinates& column : cloud.columns)
    for (const std::uint32_t id : ids) *to++ = column[id];
  return points;
}

CLUSTERLOOM_CLONES
void squaredDistances(const double* at, const double* coordinates, std::size_t size,
                      std::size_t dims, std::size_t begin, std::size_t count, double* squared) {
  std::fill_n(squared, count, 0.0);
  for (std::size_t j = 0; j < dims; ++j) {
    const double* column = coordinates + j * size + begin;
    const double here = at[j];
    for (std::size_t i = 0; i < count; ++i) {
      const double d = here - column[i];
      squared[i] += d * d;
    }
  }
}

}  // namespace clusterloom
