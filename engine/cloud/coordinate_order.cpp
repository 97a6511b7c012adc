#include "engine/cloud/coordinate_order.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace clusterloom {

bool sameInAnotherOrder(std::span<const std::string> names, std::span<const std::string> others) {
  if (std::equal(names.begin(), names.end(), others.begin(), others.end())) return false;
  const std::set<std::string> first(names.begin(), names.end());
  const std::set<std::string> second(others.begin(), others.end());
  return first == second && first.size() == names.size() && second.size() == others.size();
}

bool orderCoordinates(std::span<const std::string> names, PointCloud& cloud) {
  if (!sameInAnotherOrder(names, cloud.names)) return false;
  std::vector<Coordinates> columns;
  for (const std::string& name : names) {
    const auto at = std::find(cloud.names.begin(), cloud.names.end(), name) - cloud.names.begin();
    columns.push_back(std::move(cloud.columns[std::size_t(at)]));
  }
  cloud.columns = std::move(columns);
  cloud.names.assign(names.begin(), names.end());
  return true;
}

}  // namespace clusterloom
