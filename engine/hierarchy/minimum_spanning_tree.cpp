#include "engine/hierarchy/minimum_spanning_tree.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/hierarchy/cloud_tree.h"
#include "engine/hierarchy/hierarchy_builder.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {
namespace {

/// `given`: nearest neighbours, at least minPts of each point; null: they are searched.
Result<LargeArray<TreeEdge>> searchTree(const PointCloud& cloud, const HierarchyOptions& options,
                                        const NearestNeighbours* given, const Task& task) {
  HierarchySeconds seconds;
  auto made = searchCloudTree({cloud, options, given}, seconds, task);
  if (!made) return tl::unexpected(made.error());
  LargeArray<TreeEdge> edges = std::move((*made)->tree.edges);
  const LargeArray<std::uint32_t>& ids = (*made)->leaves.ids;
  for (TreeEdge& edge : edges) {
    const std::uint32_t a = ids[edge.a];
    const std::uint32_t b = ids[edge.b];
    edge.a = std::min(a, b);
    edge.b = std::max(a, b);
  }
  std::sort(edges.begin(), edges.end(), [](const TreeEdge& a, const TreeEdge& b) {
    return std::tie(a.squaredWeight, a.a, a.b) < std::tie(b.squaredWeight, b.a, b.b);
  });
  if (task.cancelled()) return cancelledError();
  return edges;
}

}  // namespace

Result<LargeArray<TreeEdge>> minimumSpanningTree(const PointCloud& cloud,
                                                 const HierarchyOptions& options,
                                                 const Task& task) {
  if (auto fine = HierarchyBuilder::check(cloud, options); !fine)
    return tl::unexpected(fine.error());
  const std::uint64_t points = cloud.size();
  const bool longLists = HierarchyBuilder::needsLongLists(options.minPts, points);
  const std::uint64_t k =
      longLists ? std::uint64_t(options.minPts) : std::min<std::uint64_t>(points, kMaxNearest);
  if (auto fits = HierarchyBuilder::checkMemory(
          points, k, 12 * k * points + cloudTreePeakBytes(cloud, options));
      !fits)
    return tl::unexpected(fits.error());
  Result<NearestNeighbours> given;
  if (longLists)
    given =
        nearestNeighbours(cloud, int(options.minPts), options.threads, task, {}, options.metric);
  if (!given) return tl::unexpected(given.error());
  return HierarchyBuilder::onArena(options.threads, [&] {
    return searchTree(cloud, options, longLists ? &*given : nullptr, task);
  });
}

}  // namespace clusterloom
