#include "engine/dbscan/given_distances.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "engine/core/number_text.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/graph_labels.h"
#include "engine/dbscan/labelling.h"

namespace clusterloom {
namespace {

constexpr std::size_t kRowsPerTurn = 4096;  // between two looks at the stop token

/// The neighbours within ε, itself included, of every point.
struct GivenNeighbours {
  LargeArray<std::int64_t> starts;
  LargeArray<std::int64_t> ids;
};

Result<GivenNeighbours> neighboursWithin(const SparseDistances& distances, double eps,
                                         const Task& task) {
  const std::size_t n = distances.points();
  const double reach = distances.isSingle ? double(float(eps)) : eps;
  GivenNeighbours found;
  found.starts.reserve(n + 1);
  found.starts.push_back(0);
  for (std::size_t p = 0; p < n; ++p) {
    if (p % kRowsPerTurn == 0) {
      if (task.cancelled()) return cancelledError();
      task.report("finding neighbours", double(p) / double(n));
    }
    bool storesItself = false;
    for (auto i = std::size_t(distances.starts[p]); i < std::size_t(distances.starts[p + 1]); ++i) {
      storesItself = storesItself || distances.ids[i] == std::int64_t(p);
      if (distances.values[i] <= reach) found.ids.push_back(distances.ids[i]);
    }
    if (!storesItself) found.ids.push_back(std::int64_t(p));
    found.starts.push_back(std::int64_t(found.ids.size()));
  }
  return found;
}

Result<Clustering> labelledByDistances(const SparseDistances& distances, const DbscanParams& params,
                                       const Task& task) {
  const Stopwatch watch;
  const auto near = neighboursWithin(distances, params.eps, task);
  if (!near) return tl::unexpected(near.error());
  LargeArray<std::uint8_t> core(distances.points());
  for (std::size_t p = 0; p < core.size(); ++p)
    core[p] = near->starts[p + 1] - near->starts[p] >= params.minPts ? 1 : 0;
  Clustering clustering;
  clustering.params = params;
  clustering.stats.seconds.join = watch.seconds();
  const auto labels = labelsOfNeighbours({near->starts, near->ids}, core, task);
  if (!labels) return tl::unexpected(labels.error());
  clustering.labels.assign(labels->begin(), labels->end());
  clustering.clusters = *std::max_element(labels->begin(), labels->end()) + 1;
  fillRoles(clustering, core);
  clustering.stats.seconds.total = watch.seconds();
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
