#include "engine/distributed/selection.h"

namespace clusterloom {

PointCloud selectionOf(const PointCloud& cloud, std::uint64_t first, std::uint64_t step) {
  PointCloud selected;
  selected.columns.resize(cloud.dims());
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    selected.columns[j].reserve(partSize(cloud.size(), step, first));
    for (std::uint64_t p = first; p < cloud.size(); p += step)
      selected.columns[j].push_back(cloud.columns[j][p]);
  }
  return selected;
}

}  // namespace clusterloom
