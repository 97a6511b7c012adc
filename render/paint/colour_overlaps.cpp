#include "render/paint/colour_overlaps.h"

#include <algorithm>
#include <cstddef>

namespace clusterloom {

std::vector<std::int32_t> coloursByOverlap(std::vector<ClusterOverlap> overlaps,
                                           std::span<const std::int32_t> previousColours,
                                           std::int32_t newClusters) {
  constexpr std::int32_t kNone = -1;
  std::sort(overlaps.begin(), overlaps.end(), [](const ClusterOverlap& p, const ClusterOverlap& q) {
    if (p.points != q.points) return p.points > q.points;
    return p.before != q.before ? p.before < q.before : p.now < q.now;
  });
  std::vector<std::int32_t> colours(std::size_t(std::max(newClusters, 0)), kNone);
  std::vector<bool> used;
  const auto use = [&used](std::int32_t colour) {
    const auto at = std::size_t(colour);
    if (at >= used.size()) used.resize(at + 1, false);
    used[at] = true;
  };
  std::vector<bool> given(previousColours.size(), false);
  for (const ClusterOverlap& overlap : overlaps) {
    const auto before = std::size_t(overlap.before);
    const auto now = std::size_t(overlap.now);
    if (before >= previousColours.size() || now >= colours.size()) continue;
    if (given[before] || colours[now] != kNone || previousColours[before] < 0) continue;
    given[before] = true;
    colours[now] = previousColours[before];
    use(colours[now]);
  }
  std::size_t next = 0;
  for (std::int32_t& colour : colours) {
    if (colour != kNone) continue;
    while (next < used.size() && used[next]) ++next;
    colour = std::int32_t(next);
    use(colour);
  }
  return colours;
}

}  // namespace clusterloom
