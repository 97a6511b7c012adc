#include "engine/cloud/point_cloud.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/cloud/fewer_dims.h"

namespace clusterloom {

namespace {

struct Ends {
  double low;
  double high;
  bool finite;  // all values
};

// Lowest and highest of at least one value, by several at a time: a loop over one minimum waits for
// each comparison.
Ends endsOf(std::span<const double> values) {
  constexpr std::size_t kLanes = 16;
  double low[kLanes];
  double high[kLanes];
  double zero[kLanes] = {};  // not a number from the first value on that is not finite
  std::fill_n(low, kLanes, values.front());
  std::fill_n(high, kLanes, values.front());
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double x = values[i + lane];
      low[lane] = x < low[lane] ? x : low[lane];
      high[lane] = x > high[lane] ? x : high[lane];
      zero[lane] += x - x;
    }
  for (; i < values.size(); ++i) {
    low[0] = std::min(low[0], values[i]);
    high[0] = std::max(high[0], values[i]);
    zero[0] += values[i] - values[i];
  }
  return {*std::min_element(low, low + kLanes), *std::max_element(high, high + kLanes),
          std::all_of(zero, zero + kLanes, [](double x) { return x == 0; })};
}

constexpr std::size_t kEndsAtOnce = std::size_t{1} << 16;  // values

// The same by the threads of the caller's TBB arena where there are many values.
Ends endsOfColumn(std::span<const double> values) {
  if (values.size() <= kEndsAtOnce) return endsOf(values);
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, values.size(), kEndsAtOnce),
      Ends{values.front(), values.front(), true},
      [&](const auto& range, const Ends& before) {
        const Ends here = endsOf(values.subspan(range.begin(), range.size()));
        return Ends{std::min(before.low, here.low), std::max(before.high, here.high),
                    before.finite && here.finite};
      },
      [](const Ends& a, const Ends& b) {
        return Ends{std::min(a.low, b.low), std::max(a.high, b.high), a.finite && b.finite};
      });
}

// Of all columns, none of which is empty.
std::vector<Ends> endsOfColumns(const PointCloud& cloud) {
  std::vector<Ends> ends(cloud.dims());
  const auto take = [&](std::size_t j) { ends[j] = endsOfColumn(cloud.columns[j]); };
  if (cloud.dims() * cloud.size() > kEndsAtOnce)
    tbb::parallel_for(std::size_t{0}, cloud.dims(), take);
  else
    for (std::size_t j = 0; j < cloud.dims(); ++j) take(j);
  return ends;
}

}  // namespace

Bounds boundsOf(const PointCloud& cloud) {
  Bounds bounds;
  for (const auto& [low, high, finite] : endsOfColumns(cloud)) {
    bounds.low.push_back(low);
    bounds.high.push_back(high);
  }
  return bounds;
}

Result<void> validate(const PointCloud& cloud) {
  if (cloud.dims() == 0) return badInput("The cloud has no dimensions.");
  if (cloud.dims() > kMaxDims)
    return badInput("The cloud has " + std::to_string(cloud.dims()) + " dimensions; at most " +
                    std::to_string(kMaxDims) + " are possible. " + kFewerDims);
  if (cloud.size() == 0) return badInput("The cloud has no points.");
  if (cloud.size() > kMaxPoints)
    return tooLarge("The cloud has " + std::to_string(cloud.size()) + " points; at most " +
                    std::to_string(kMaxPoints) + " are possible.");
  const auto nameOf = [&](std::size_t j) {
    return j < cloud.names.size() ? cloud.names[j] : std::to_string(j);
  };
  for (std::size_t j = 0; j < cloud.dims(); ++j)
    if (cloud.columns[j].size() != cloud.size())
      return badInput("Dimension " + nameOf(j) + " has " + std::to_string(cloud.columns[j].size()) +
                      " coordinates, the first has " + std::to_string(cloud.size()) + ".");
  const std::vector<Ends> ends = endsOfColumns(cloud);
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    const auto& column = cloud.columns[j];
    const auto& [low, high, finite] = ends[j];
    if (!finite) {
      const auto bad =
          std::find_if(column.begin(), column.end(), [](double x) { return !std::isfinite(x); });
      return badInput("Point " + std::to_string(bad - column.begin()) +
                      " has a coordinate in dimension " + nameOf(j) +
                      " that is not a finite number. Skip such rows when reading.");
    }
    if (!std::isfinite(high - low))
      return badInput("The range of dimension " + nameOf(j) +
                      " is too large for a double. Scale it by a factor, such as "
                      "0.1; the scalings unit and zscore need the range.");
  }
  return {};
}

}  // namespace clusterloom
