#include "render/scene/place_points.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace clusterloom {

void placePoints(const DisplaySpace& space, const PointCloud& cloud, std::size_t begin,
                 std::size_t end, float* xyz) {
  constexpr double kFarthest = 1e30;  // no display coordinate is larger
  std::vector<double> values(end - begin);
  for (std::size_t a = 0; a < 3; ++a) {
    if (a >= std::size_t(space.axes)) {
      for (std::size_t i = 0; i < values.size(); ++i) xyz[3 * i + a] = 0;
      continue;
    }
    if (space.kind == ViewAxes::Kind::Pca) {
      std::fill(values.begin(), values.end(), 0.0);
      for (std::size_t j = 0; j < cloud.dims(); ++j)
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] += space.direction[a][j] * (cloud.columns[j][begin + i] - space.centre[j]);
    } else {
      const auto& column = cloud.columns[std::size_t(space.dims[a])];
      std::copy_n(column.begin() + std::ptrdiff_t(begin), values.size(), values.begin());
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double place = space.toDisplay(int(a), values[i]);
      xyz[3 * i + a] = std::isnan(place) ? 0 : float(std::clamp(place, -kFarthest, kFarthest));
    }
  }
}

}  // namespace clusterloom
