#include <cstddef>
#include <unordered_map>
#include <utility>

#include "render/paint/palette.h"

namespace clusterloom {
namespace {

/// Points in common of every pair of clusters that have any.
std::vector<ClusterOverlap> overlaps(std::span<const std::int32_t> before,
                                     std::span<const std::int32_t> now) {
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  // Neighbouring points mostly share their pair of clusters: counting runs avoids most look-ups.
  std::uint64_t runKey = 0;
  std::uint64_t run = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (before[i] < 0 || now[i] < 0) continue;
    const std::uint64_t key = std::uint64_t(before[i]) << 32 | std::uint64_t(now[i]);
    if (run > 0 && key != runKey) {
      counts[runKey] += run;
      run = 0;
    }
    runKey = key;
    ++run;
  }
  if (run > 0) counts[runKey] += run;

  std::vector<ClusterOverlap> list;
  list.reserve(counts.size());
  for (const auto& [key, points] : counts)
    list.push_back({points, std::int32_t(key >> 32), std::int32_t(key & 0xffffffffU)});
  return list;
}

}  // namespace

std::vector<std::int32_t> assignColours(std::span<const std::int32_t> previousLabels,
                                        std::span<const std::int32_t> previousColours,
                                        std::span<const std::int32_t> newLabels,
                                        std::int32_t newClusters) {
  std::vector<ClusterOverlap> common;
  if (previousLabels.size() == newLabels.size()) common = overlaps(previousLabels, newLabels);
  return coloursByOverlap(std::move(common), previousColours, newClusters);
}

}  // namespace clusterloom
