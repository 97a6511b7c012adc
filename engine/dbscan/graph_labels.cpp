#include "engine/dbscan/graph_labels.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/dbscan/labelling.h"

namespace clusterloom {
namespace {

constexpr std::size_t kVisitsPerLook = 4096;  // between two looks at the stop token

template <class Start, class Id>
Result<void> checkLists(const NeighbourLists<Start, Id>& lists, std::size_t points) {
  const auto& starts = lists.starts;
  if (starts.size() != points + 1 || starts.front() != 0 ||
      starts.back() != Start(lists.ids.size()) || !std::is_sorted(starts.begin(), starts.end()))
    return badInput("The lists of neighbours do not fit " + std::to_string(points) + " points.");
  const auto none = std::find_if(lists.ids.begin(), lists.ids.end(),
                                 [&](Id id) { return id < 0 || std::size_t(id) >= points; });
  if (none != lists.ids.end())
    return badInput("There is no point " + std::to_string(*none) + " among " +
                    std::to_string(points) + ".");
  return {};
}

}  // namespace

template <class Start, class Id>
Result<LargeArray<std::int32_t>> labelsOfNeighbours(const NeighbourLists<Start, Id>& lists,
                                                    std::span<const std::uint8_t> core,
                                                    const Task& task) {
  const std::size_t points = core.size();
  if (auto valid = checkLists(lists, points); !valid) return tl::unexpected(valid.error());
  LargeArray<std::int32_t> labels(points);
  std::fill(labels.begin(), labels.end(), kNoise);
  std::vector<std::size_t> reached;  // core points whose neighbours are still to be labelled
  std::int32_t clusters = 0;
  std::size_t visited = 0;
  for (std::size_t first = 0; first < points; ++first) {
    if (core[first] == 0 || labels[first] != kNoise) continue;
    labels[first] = clusters;
    reached.push_back(first);
    while (!reached.empty()) {
      if (++visited % kVisitsPerLook == 0 && task.cancelled()) return cancelledError();
      const std::size_t p = reached.back();
      reached.pop_back();
      for (Start i = lists.starts[p]; i < lists.starts[p + 1]; ++i) {
        const auto q = std::size_t(lists.ids[std::size_t(i)]);
        if (labels[q] != kNoise) continue;
        labels[q] = clusters;
        if (core[q] != 0) reached.push_back(q);
      }
    }
    ++clusters;
  }
  return labels;
}

template <class Start, class Id>
Result<Clustering> clusteringOf(const NeighbourLists<Start, Id>& lists, const DbscanParams& params,
                                const Task& task) {
  LargeArray<std::uint8_t> core(lists.starts.size() - 1);
  for (std::size_t p = 0; p < core.size(); ++p)
    core[p] = std::int64_t(lists.starts[p + 1] - lists.starts[p]) >= params.minPts ? 1 : 0;
  const auto labels = labelsOfNeighbours(lists, core, task);
  if (!labels) return tl::unexpected(labels.error());
  Clustering clustering;
  clustering.params = params;
  clustering.labels.assign(labels->begin(), labels->end());
  clustering.clusters = *std::max_element(labels->begin(), labels->end()) + 1;
  fillRoles(clustering, core);
  return clustering;
}

template Result<LargeArray<std::int32_t>> labelsOfNeighbours(const NeighbourLists<>&,
                                                             std::span<const std::uint8_t>,
                                                             const Task&);
template Result<Clustering> clusteringOf(const NeighbourLists<>&, const DbscanParams&, const Task&);
template Result<Clustering> clusteringOf(const TableRows&, const DbscanParams&, const Task&);

}  // namespace clusterloom
