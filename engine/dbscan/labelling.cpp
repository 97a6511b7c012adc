#include "engine/dbscan/labelling.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/core/disjoint_sets.h"
#include "engine/core/lane.h"

namespace clusterloom {

namespace {

using Range = tbb::blocked_range<std::size_t>;
constexpr std::size_t kItemsPerBlock = 16384;

struct LowestPoint {
  std::uint32_t point;
  std::uint32_t set;
  bool operator<(const LowestPoint& other) const { return point < other.point; }
};

// The lowest core point of each set, ascending.
std::vector<LowestPoint> lowestPoints(std::span<const std::uint32_t> sets,
                                      std::span<const std::uint8_t> core,
                                      std::span<const std::uint32_t> pointIds) {
  constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
  const std::size_t n = sets.size();
  LargeArray<std::uint32_t> lowest(n);
  tbb::parallel_for(Range(0, n, kItemsPerBlock), [&](const Range& range) {
    std::fill(lowest.begin() + range.begin(), lowest.begin() + range.end(), kNobody);
  });
  tbb::parallel_for(Range(0, n, kItemsPerBlock), [&](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      if (core[i]) SerialLane{}.least(&lowest[sets[i]], pointIds[i]);
  });
  tbb::enumerable_thread_specific<std::vector<LowestPoint>> found;
  tbb::parallel_for(Range(0, n, kItemsPerBlock), [&](const Range& range) {
    std::vector<LowestPoint>& mine = found.local();
    for (std::size_t s = range.begin(); s < range.end(); ++s)
      if (lowest[s] != kNobody) mine.push_back({lowest[s], std::uint32_t(s)});
  });
  std::vector<LowestPoint> all;
  for (const auto& mine : found) all.insert(all.end(), mine.begin(), mine.end());
  tbb::parallel_sort(all.begin(), all.end());
  return all;
}

}  // namespace

ClusterNumbers numberClusters(std::span<const std::uint32_t> sets,
                              std::span<const std::uint8_t> core,
                              std::span<const std::uint32_t> pointIds) {
  const std::vector<LowestPoint> found = lowestPoints(sets, core, pointIds);
  ClusterNumbers numbers;
  numbers.clusters = std::int32_t(found.size());
  numbers.ofSet.resize(sets.size());
  tbb::parallel_for(Range(0, sets.size(), kItemsPerBlock), [&](const Range& range) {
    std::fill(numbers.ofSet.begin() + range.begin(), numbers.ofSet.begin() + range.end(), kNoise);
  });
  tbb::parallel_for(Range(0, found.size(), kItemsPerBlock), [&](const Range& range) {
    for (std::size_t c = range.begin(); c < range.end(); ++c)
      numbers.ofSet[found[c].set] = std::int32_t(c);
  });
  return numbers;
}

void countRoles(Clustering& clustering) {
  using Counts = std::array<std::uint64_t, 3>;
  const std::vector<PointRole>& roles = clustering.roles;
  const Counts counts = tbb::parallel_reduce(
      Range(0, roles.size(), kItemsPerBlock), Counts{},
      [&](const Range& range, Counts sums) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) ++sums[std::size_t(roles[i])];
        return sums;
      },
      [](const Counts& a, const Counts& b) {
        return Counts{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
      });
  clustering.noiseCount = counts[std::size_t(PointRole::Noise)];
  clustering.borderCount = counts[std::size_t(PointRole::Border)];
  clustering.coreCount = counts[std::size_t(PointRole::Core)];
}

void fillRoles(Clustering& clustering, std::span<const std::uint8_t> core) {
  clustering.roles.resize(clustering.labels.size());
  tbb::parallel_for(Range(0, clustering.labels.size(), kItemsPerBlock), [&](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      clustering.roles[i] = roleOf(clustering.labels[i], core[i] != 0);
  });
  countRoles(clustering);
}

Result<Clustering> clusteringOfTable(const NeighbourTable& table, const DbscanParams& params,
                                     const Task& task) {
  constexpr std::size_t kPointsAtOnce = 4096;
  const std::size_t n = table.offsets.size() - 1;
  const auto row = [&](std::size_t p) {
    return std::span(table.ids).subspan(table.offsets[p], table.offsets[p + 1] - table.offsets[p]);
  };
  std::vector<std::uint32_t> points(n);
  std::iota(points.begin(), points.end(), 0u);
  std::vector<std::uint32_t> sets = points;
  std::vector<std::uint8_t> core(n);
  for (std::size_t p = 0; p < n; ++p) core[p] = std::int64_t(row(p).size()) >= params.minPts;
  SerialLane lane;
  for (std::size_t p = 0; p < n; ++p) {
    if (p % kPointsAtOnce == 0 && task.cancelled()) return cancelledError();
    if (core[p] == 0) continue;
    for (const std::int32_t q : row(p))
      if (std::size_t(q) < p && core[std::size_t(q)] != 0)
        unite(lane, sets.data(), std::uint32_t(p), std::uint32_t(q));
  }
  for (std::uint32_t p = 0; p < n; ++p) sets[p] = findRoot(lane, sets.data(), p);
  const ClusterNumbers numbers = numberClusters(sets, core, points);
  Clustering result;
  result.params = params;
  result.clusters = numbers.clusters;
  result.labels.assign(n, kNoise);
  for (std::size_t p = 0; p < n; ++p)
    if (core[p] != 0) result.labels[p] = numbers.ofSet[sets[p]];
  for (std::size_t p = 0; p < n; ++p) {
    if (p % kPointsAtOnce == 0 && task.cancelled()) return cancelledError();
    if (core[p] != 0) continue;
    std::int32_t& label = result.labels[p];
    for (const std::int32_t q : row(p))
      if (core[std::size_t(q)] != 0 && (label == kNoise || result.labels[std::size_t(q)] < label))
        label = result.labels[std::size_t(q)];
  }
  fillRoles(result, core);
  return result;
}

std::optional<Clustering> withoutCorePoints(std::size_t points, const DbscanParams& params) {
  if (params.minPts <= std::int64_t(points)) return std::nullopt;
  Clustering clustering;
  clustering.params = params;
  clustering.labels.assign(points, kNoise);
  clustering.roles.assign(points, PointRole::Noise);
  clustering.noiseCount = points;
  clustering.stats.note =
      "minPts is larger than the number of points, so no point is core and all are noise.";
  return clustering;
}

}  // namespace clusterloom
