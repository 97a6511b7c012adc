#include "engine/dbscan/labelling.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>

#include "engine/core/lane.h"

namespace clusterloom {

ClusterNumbers numberClusters(std::span<const std::uint32_t> sets,
                              std::span<const std::uint8_t> core,
                              std::span<const std::uint32_t> pointIds) {
  constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> lowest(sets.size(), kNobody);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, sets.size(), 16384), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      if (!core[i]) continue;
      SerialLane{}.least(&lowest[sets[i]], pointIds[i]);
    }
  });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;  // lowest core point, set id
  for (std::size_t s = 0; s < lowest.size(); ++s)
    if (lowest[s] != kNobody) found.emplace_back(lowest[s], static_cast<std::uint32_t>(s));
  std::sort(found.begin(), found.end());
  ClusterNumbers numbers;
  numbers.ofSet.assign(sets.size(), kNoise);
  for (const auto& [point, set] : found) numbers.ofSet[set] = numbers.clusters++;
  return numbers;
}

void fillRoles(Clustering& clustering, std::span<const std::uint8_t> core) {
  const std::size_t n = clustering.labels.size();
  clustering.roles.resize(n);
  clustering.coreCount = clustering.borderCount = clustering.noiseCount = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (core[i]) {
      clustering.roles[i] = PointRole::Core;
      ++clustering.coreCount;
    } else if (clustering.labels[i] == kNoise) {
      clustering.roles[i] = PointRole::Noise;
      ++clustering.noiseCount;
    } else {
      clustering.roles[i] = PointRole::Border;
      ++clustering.borderCount;
    }
  }
}

std::optional<Clustering> withoutCorePoints(std::size_t points, const DbscanParams& params) {
  if (params.minPts <= static_cast<std::int64_t>(points)) return std::nullopt;
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
