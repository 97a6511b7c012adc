#include "engine/cloud/point_cloud.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/cloud/borrowed_cloud.h"

namespace clusterloom {

namespace {

struct Ends {
  double low;
  double high;
  bool finite;  // all values
};

// Lowest and highest of values `begin` to `end`, at least one, by several at a time: a loop over
// one minimum waits for each comparison.
template <class Values>
Ends endsOf(const Values& values, std::size_t begin, std::size_t end) {
  constexpr std::size_t kLanes = 16;
  double low[kLanes];
  double high[kLanes];
  double zero[kLanes] = {};  // not a number from the first value on that is not finite
  std::fill_n(low, kLanes, values[begin]);
  std::fill_n(high, kLanes, values[begin]);
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double x = values[i + lane];
      low[lane] = x < low[lane] ? x : low[lane];
      high[lane] = x > high[lane] ? x : high[lane];
      zero[lane] += x - x;
    }
  for (; i < end; ++i) {
    const double x = values[i];
    low[0] = std::min(low[0], x);
    high[0] = std::max(high[0], x);
    zero[0] += x - x;
  }
  return {*std::min_element(low, low + kLanes), *std::max_element(high, high + kLanes),
          std::all_of(zero, zero + kLanes, [](double x) { return x == 0; })};
}

Ends both(const Ends& a, const Ends& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.finite && b.finite};
}

// For all columns, which must not be empty: by the threads of the caller's TBB arena where there
// are many values.
std::vector<Ends> endsOfColumns(const PointCloud& cloud) {
  using AllEnds = std::vector<Ends>;
  const std::size_t block = pointsAtOnce(cloud.dims());
  const auto merged = [](AllEnds a, const AllEnds& b) {
    if (a.empty()) return b;
    for (std::size_t j = 0; j < b.size(); ++j) a[j] = both(a[j], b[j]);
    return a;
  };
  const auto ofBlocks = [&](const auto& range, AllEnds before) {
    for (std::size_t begin = range.begin(); begin < range.end(); begin += block) {
      const std::size_t end = std::min(range.end(), begin + block);
      AllEnds here;
      for (const Coordinates& column : cloud.columns)
        here.push_back(withValues(column, [&](auto x) { return endsOf(x, begin, end); }));
      before = merged(std::move(before), here);
    }
    return before;
  };
  using Points = tbb::blocked_range<std::size_t>;
  if (cloud.size() <= block) return ofBlocks(Points(0, cloud.size()), {});
  return tbb::parallel_reduce(Points(0, cloud.size(), block), AllEnds{}, ofBlocks, merged);
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
  if (cloud.dims() > kMaxDims) return tl::unexpected(tooManyDims(cloud.dims()));
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
    const Coordinates& column = cloud.columns[j];
    const auto& [low, high, finite] = ends[j];
    if (!finite) {
      std::size_t bad = 0;
      while (bad < column.size() && std::isfinite(column[bad])) ++bad;
      return badInput("Point " + std::to_string(bad) + " has a coordinate in dimension " +
                      nameOf(j) + " that is not a finite number. Skip such rows when reading.");
    }
    if (!std::isfinite(high - low))
      return badInput("The range of dimension " + nameOf(j) +
                      " is too large for a double. Scale it by a factor, such as "
                      "0.1; the scalings unit and zscore need the range.");
  }
  return {};
}

}  // namespace clusterloom
