#include "engine/dbscan/graph_labels.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/core/stopwatch.h"
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

constexpr std::size_t kRowsPerTurn = 4096;  // between two looks at the stop token

/// The neighbours within ε, itself included, of every point.
struct GivenNeighbours {
  LargeArray<std::int64_t> starts;
  LargeArray<std::int64_t> ids;
};

/// Calls use(id) for each neighbour of point p.
template <class Use>
void forNeighbours(const SparseDistances& distances, double reach, std::size_t p, const Use& use) {
  bool storesItself = false;
  for (auto i = std::size_t(distances.starts[p]); i < std::size_t(distances.starts[p + 1]); ++i) {
    storesItself = storesItself || distances.ids[i] == std::int64_t(p);
    if (distances.values[i] <= reach) use(distances.ids[i]);
  }
  if (!storesItself) use(std::int64_t(p));
}

Result<GivenNeighbours> neighboursWithin(const SparseDistances& distances, double eps,
                                         const Task& task) {
  const std::size_t n = distances.points();
  const double reach = distances.isSingle ? double(float(eps)) : eps;
  GivenNeighbours found;
  found.starts.resize(n + 1);
  found.starts[0] = 0;
  SharedProgress progress(task, "finding neighbours", 2 * n);
  const auto forPoints = [&](const auto& work) {
    parallelForBlocks(n, kRowsPerTurn, task, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) work(p);
      progress.add(end - begin);
    });
  };
  forPoints([&](std::size_t p) {
    std::int64_t count = 0;
    forNeighbours(distances, reach, p, [&](std::int64_t) { ++count; });
    found.starts[p + 1] = count;
  });
  if (task.cancelled()) return cancelledError();
  std::partial_sum(found.starts.begin(), found.starts.end(), found.starts.begin());
  found.ids.resize(std::size_t(found.starts[n]));
  forPoints([&](std::size_t p) {
    auto to = found.ids.begin() + found.starts[p];
    forNeighbours(distances, reach, p, [&](std::int64_t id) { *to++ = id; });
  });
  if (task.cancelled()) return cancelledError();
  return found;
}

Result<Clustering> labelledByDistances(const SparseDistances& distances, const DbscanParams& params,
                                       const Task& task) {
  const Stopwatch watch;
  const auto near = neighboursWithin(distances, params.eps, task);
  if (!near) return tl::unexpected(near.error());
  const double joined = watch.seconds();
  auto clustering = clusteringOf(NeighbourLists<>{near->starts, near->ids}, params, task);
  if (!clustering) return clustering;
  clustering->stats.seconds.join = joined;
  clustering->stats.seconds.total = watch.seconds();
  return clustering;
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

Result<Clustering> dbscanOfDistances(const SparseDistances& distances, const DbscanParams& params,
                                     const Task& task) {
  if (!(params.eps > 0) || !std::isfinite(params.eps))
    return badCall("ε must be a positive, finite number, not " + roundTripText(params.eps));
  if (params.minPts < 1)
    return badCall("minPts must be 1 or more, not " + std::to_string(params.minPts));
  try {
    if (auto fine = checkDistances(distances); !fine) return tl::unexpected(fine.error());
    return labelledByDistances(distances, params, task);
  } catch (const std::bad_alloc&) {
    return tooLarge("There is no memory for the neighbours of " +
                    std::to_string(distances.points()) + " points. Use a smaller ε.");
  }
}

}  // namespace clusterloom
