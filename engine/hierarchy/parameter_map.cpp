#include "engine/hierarchy/parameter_map.h"

#include <algorithm>
#include <utility>

#include "engine/core/predicate.h"

namespace clusterloom {
namespace {

std::uint32_t largestCluster(const Clustering& clustering) {
  std::vector<std::uint32_t> sizes(std::size_t(clustering.clusters));
  for (const std::int32_t label : clustering.labels)
    if (label >= 0) ++sizes[std::size_t(label)];
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

}  // namespace

Result<ParameterMap> parameterMap(const NeighbourGraph& graph, std::vector<double> eps,
                                  std::vector<std::int64_t> minPts, int threads, const Task& task) {
  for (const double e : eps)
    if (auto squared = epsSquared(e); !squared) return tl::unexpected(squared.error());
  ParameterMap map{std::move(eps), std::move(minPts), {}, {}, {}};
  const std::size_t cells = map.eps.size() * map.minPts.size();
  map.clusters.reserve(cells);
  map.noise.reserve(cells);
  map.largest.reserve(cells);
  for (const std::int64_t m : map.minPts) {
    // The stages of each hierarchy are not reported: the map is one stage.
    const auto hierarchy = graph.hierarchy({m, threads}, {task.stop, {}});
    if (!hierarchy) return tl::unexpected(hierarchy.error());
    for (const double e : map.eps) {
      if (task.cancelled()) return cancelledError();
      task.report("mapping ε and minPts", double(map.clusters.size()) / double(cells));
      const auto labels = hierarchy->labels(e);
      if (!labels) return tl::unexpected(labels.error());
      map.clusters.push_back(std::uint32_t(labels->clusters));
      map.noise.push_back(std::uint32_t(labels->noiseCount));
      map.largest.push_back(largestCluster(*labels));
    }
  }
  return map;
}

}  // namespace clusterloom
