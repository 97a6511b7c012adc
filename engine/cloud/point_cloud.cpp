#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clusterloom {

namespace {

// Lowest and highest of at least one value, by several at a time: a loop over one minimum waits for
// each comparison.
std::pair<double, double> endsOf(std::span<const double> values) {
  constexpr std::size_t kLanes = 16;
  double low[kLanes];
  double high[kLanes];
  std::fill_n(low, kLanes, values.front());
  std::fill_n(high, kLanes, values.front());
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double x = values[i + lane];
      low[lane] = x < low[lane] ? x : low[lane];
      high[lane] = x > high[lane] ? x : high[lane];
    }
  for (; i < values.size(); ++i) {
    low[0] = std::min(low[0], values[i]);
    high[0] = std::max(high[0], values[i]);
  }
  return {*std::min_element(low, low + kLanes), *std::max_element(high, high + kLanes)};
}

}  // namespace

Bounds boundsOf(const PointCloud& cloud) {
  Bounds bounds;
  for (const auto& column : cloud.columns) {
    const auto [low, high] = endsOf(column);
    bounds.low.push_back(low);
    bounds.high.push_back(high);
  }
  return bounds;
}

Result<void> validate(const PointCloud& cloud) {
  if (cloud.dims() == 0) return fail(ErrorKind::BadInput, "The cloud has no dimensions.");
  if (cloud.dims() > kMaxDims)
    return fail(ErrorKind::BadInput, "The cloud has " + std::to_string(cloud.dims()) +
                                         " dimensions; at most " + std::to_string(kMaxDims) +
                                         " are possible. Choose fewer coordinate columns.");
  if (cloud.size() == 0) return fail(ErrorKind::BadInput, "The cloud has no points.");
  if (cloud.size() > kMaxPoints)
    return fail(ErrorKind::TooLarge, "The cloud has " + std::to_string(cloud.size()) +
                                         " points; at most " + std::to_string(kMaxPoints) +
                                         " are possible.");
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    const auto& column = cloud.columns[j];
    const std::string name = j < cloud.names.size() ? cloud.names[j] : std::to_string(j);
    if (column.size() != cloud.size())
      return fail(ErrorKind::BadInput,
                  "Dimension " + name + " has " + std::to_string(column.size()) +
                      " coordinates, the first has " + std::to_string(cloud.size()) + ".");
    double low = column.front();
    double high = column.front();
    bool finite = true;
    for (const double x : column) {
      finite = finite && std::isfinite(x);
      low = std::min(low, x);
      high = std::max(high, x);
    }
    if (!finite) {
      const auto bad =
          std::find_if(column.begin(), column.end(), [](double x) { return !std::isfinite(x); });
      return fail(ErrorKind::BadInput,
                  "Point " + std::to_string(bad - column.begin()) +
                      " has a coordinate in dimension " + name +
                      " that is not a finite number. Skip such rows when reading.");
    }
    if (!std::isfinite(high - low))
      return fail(ErrorKind::BadInput, "The range of dimension " + name +
                                           " is too large for a double. Scale the cloud.");
  }
  return {};
}

}  // namespace clusterloom
