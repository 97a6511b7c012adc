#include "ui/session/follow_colours.h"

#include <algorithm>
#include <numeric>

#include "render/paint/colour_overlaps.h"

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

/// Nodes of a tree either contain each other or have nothing in common.
std::vector<ClusterOverlap> overlapsOf(const std::vector<Run>& before,
                                       const std::vector<Run>& now) {
  std::vector<ClusterOverlap> overlaps;
  for (std::size_t i = 0, j = 0; i < before.size() && j < now.size();) {
    const std::size_t begin = std::max(before[i].begin, now[j].begin);
    const std::size_t end = std::min(before[i].end, now[j].end);
    if (begin < end)
      overlaps.push_back({end - begin, static_cast<std::int32_t>(before[i].cluster),
                          static_cast<std::int32_t>(now[j].cluster)});
    if (before[i].end < now[j].end)
      ++i;
    else
      ++j;
  }
  return overlaps;
}

}  // namespace

std::vector<std::int32_t> followColours(const Hierarchy& hierarchy,
                                        std::span<const std::uint32_t> before,
                                        std::span<const std::int32_t> coloursBefore,
                                        std::span<const std::uint32_t> now) {
  std::vector<std::int32_t> numbers(before.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  if (coloursBefore.size() != before.size()) coloursBefore = numbers;
  return coloursByOverlap(overlapsOf(runsOf(hierarchy, before), runsOf(hierarchy, now)),
                          coloursBefore, static_cast<std::int32_t>(now.size()));
}

}  // namespace clusterloom
