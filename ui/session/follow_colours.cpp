#include "ui/session/follow_colours.h"

#include <algorithm>
#include <numeric>

namespace clusterloom {
namespace {

/// The positions of a cluster's core points in dendrogram order.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t cluster = 0;
};

std::vector<Run> runsOf(const Hierarchy& hierarchy, std::span<const std::uint32_t> nodes) {
  std::vector<Run> runs(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t begin = hierarchy.begin(nodes[i]);
    runs[i] = {begin, begin + hierarchy.dendrogram().sizeOf(nodes[i]), i};
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
  return runs;
}

struct Overlap {
  std::size_t points = 0;
  std::size_t before = 0;
  std::size_t now = 0;
};

/// Nodes of a tree either contain each other or have nothing in common.
std::vector<Overlap> overlapsOf(const std::vector<Run>& before, const std::vector<Run>& now) {
  std::vector<Overlap> overlaps;
  for (std::size_t i = 0, j = 0; i < before.size() && j < now.size();) {
    const std::size_t begin = std::max(before[i].begin, now[j].begin);
    const std::size_t end = std::min(before[i].end, now[j].end);
    if (begin < end) overlaps.push_back({end - begin, before[i].cluster, now[j].cluster});
    if (before[i].end < now[j].end)
      ++i;
    else
      ++j;
  }
  std::sort(overlaps.begin(), overlaps.end(), [](const Overlap& a, const Overlap& b) {
    if (a.points != b.points) return a.points > b.points;
    return a.before != b.before ? a.before < b.before : a.now < b.now;
  });
  return overlaps;
}

}  // namespace

std::vector<std::int32_t> followColours(const Hierarchy& hierarchy,
                                        std::span<const std::uint32_t> before,
                                        std::span<const std::int32_t> coloursBefore,
                                        std::span<const std::uint32_t> now) {
  constexpr std::int32_t kNone = -1;
  std::vector<std::int32_t> numbers(before.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  if (coloursBefore.size() != before.size()) coloursBefore = numbers;

  std::vector<std::int32_t> colours(now.size(), kNone);
  std::vector<std::uint8_t> given(before.size(), 0);
  for (const Overlap& overlap : overlapsOf(runsOf(hierarchy, before), runsOf(hierarchy, now))) {
    if (given[overlap.before] || colours[overlap.now] != kNone) continue;
    given[overlap.before] = 1;
    colours[overlap.now] = coloursBefore[overlap.before];
  }
  std::vector<std::int32_t> kept;
  std::copy_if(colours.begin(), colours.end(), std::back_inserter(kept),
               [](std::int32_t colour) { return colour != kNone; });
  std::sort(kept.begin(), kept.end());
  auto taken = kept.begin();
  std::int32_t next = 0;
  for (std::int32_t& colour : colours) {
    if (colour != kNone) continue;
    for (; taken != kept.end() && *taken <= next; ++taken)
      if (*taken == next) ++next;
    colour = next++;
  }
  return colours;
}

}  // namespace clusterloom
