#include "engine/dbscan/given_distances.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <string>

#include "engine/core/number_text.h"
#include "engine/core/shared_progress.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/graph_labels.h"

namespace clusterloom {
namespace {

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
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, kRowsPerTurn), [&](const auto& rows) {
      if (task.cancelled()) return;
      for (std::size_t p = rows.begin(); p < rows.end(); ++p) work(p);
      progress.add(rows.size());
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
