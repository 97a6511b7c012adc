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

Result<PointCloud> blocksToPart(Communicator& communicator, const PointCloud& block,
                                std::uint64_t first, const Task& task) {
  const auto ranks = std::uint64_t(communicator.size());
  PointCloud part;
  for (const Coordinates& column : block.columns) {
    std::vector<std::vector<double>> toEach(ranks);
    for (std::size_t i = 0; i < column.size(); ++i)
      toEach[(first + i) % ranks].push_back(column[i]);
    const auto fromEach = communicator.exchange(toEach, task);
    if (!fromEach) return tl::unexpected(fromEach.error());
    // Lower ranks have lower points.
    std::vector<double>& to = part.columns.emplace_back();
    for (const std::vector<double>& values : *fromEach)
      to.insert(to.end(), values.begin(), values.end());
  }
  return part;
}

}  // namespace clusterloom
