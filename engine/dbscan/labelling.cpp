#include "engine/dbscan/labelling.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <array>
#include <limits>
#include <vector>

#include "engine/core/lane.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {

namespace {

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
  parallelFor(n, kItemsPerBlock, [&](std::size_t i) { lowest[i] = kNobody; });
  parallelFor(n, kItemsPerBlock, [&](std::size_t i) {
    if (core[i]) SerialLane{}.least(&lowest[sets[i]], pointIds[i]);
  });
  tbb::enumerable_thread_specific<std::vector<LowestPoint>> found;
  parallelForBlocks(n, kItemsPerBlock, [&](std::size_t begin, std::size_t end) {
    std::vector<LowestPoint>& mine = found.local();
    for (std::size_t s = begin; s < end; ++s)
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
  parallelFor(sets.size(), kItemsPerBlock, [&](std::size_t s) { numbers.ofSet[s] = kNoise; });
  parallelFor(found.size(), kItemsPerBlock,
              [&](std::size_t c) { numbers.ofSet[found[c].set] = std::int32_t(c); });
  return numbers;
}

void countRoles(Clustering& clustering) {
  using Counts = std::array<std::uint64_t, 3>;
  const std::vector<PointRole>& roles = clustering.roles;
  const Counts counts = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, roles.size(), kItemsPerBlock), Counts{},
      [&](const auto& range, Counts sums) {
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
  parallelFor(clustering.labels.size(), kItemsPerBlock, [&](std::size_t i) {
    clustering.roles[i] = roleOf(clustering.labels[i], core[i] != 0);
  });
  countRoles(clustering);
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
