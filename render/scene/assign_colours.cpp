#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "render/paint/palette.h"

namespace clusterloom {
namespace {

struct Overlap {
  std::uint64_t points = 0;
  std::int32_t before = 0;
  std::int32_t now = 0;
};

/// Points in common of every pair of clusters that have any, most first.
std::vector<Overlap> overlaps(std::span<const std::int32_t> before,
                              std::span<const std::int32_t> now) {
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  // Neighbouring points mostly share their pair of clusters: counting runs avoids most look-ups.
  std::uint64_t runKey = 0;
  std::uint64_t run = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (before[i] < 0 || now[i] < 0) continue;
    const std::uint64_t key =
        static_cast<std::uint64_t>(before[i]) << 32 | static_cast<std::uint64_t>(now[i]);
    if (run > 0 && key != runKey) {
      counts[runKey] += run;
      run = 0;
    }
    runKey = key;
    ++run;
  }
  if (run > 0) counts[runKey] += run;

  std::vector<Overlap> list;
  list.reserve(counts.size());
  for (const auto& [key, points] : counts)
    list.push_back({points, static_cast<std::int32_t>(key >> 32),
                    static_cast<std::int32_t>(key & 0xffffffffU)});
  std::sort(list.begin(), list.end(), [](const Overlap& p, const Overlap& q) {
    if (p.points != q.points) return p.points > q.points;
    return p.before != q.before ? p.before < q.before : p.now < q.now;
  });
  return list;
}

}  // namespace

std::vector<std::int32_t> assignColours(std::span<const std::int32_t> previousLabels,
                                        std::span<const std::int32_t> previousColours,
                                        std::span<const std::int32_t> newLabels,
                                        std::int32_t newClusters) {
  constexpr std::int32_t kNone = -1;
  std::vector<std::int32_t> colours(static_cast<std::size_t>(std::max(newClusters, 0)), kNone);
  std::vector<bool> used;
  const auto use = [&used](std::int32_t colour) {
    const auto at = static_cast<std::size_t>(colour);
    if (at >= used.size()) used.resize(at + 1, false);
    used[at] = true;
  };
  if (previousLabels.size() == newLabels.size()) {
    std::vector<bool> given(previousColours.size(), false);
    for (const Overlap& overlap : overlaps(previousLabels, newLabels)) {
      const auto before = static_cast<std::size_t>(overlap.before);
      const auto now = static_cast<std::size_t>(overlap.now);
      if (before >= previousColours.size() || now >= colours.size()) continue;
      if (given[before] || colours[now] != kNone || previousColours[before] < 0) continue;
      given[before] = true;
      colours[now] = previousColours[before];
      use(colours[now]);
    }
  }
  std::size_t next = 0;
  for (std::int32_t& colour : colours) {
    if (colour != kNone) continue;
    while (next < used.size() && used[next]) ++next;
    colour = static_cast<std::int32_t>(next);
    use(colour);
  }
  return colours;
}

}  // namespace clusterloom
