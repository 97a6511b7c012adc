#include "engine/hierarchy/cloud_tree.h"

#include <tbb/info.h>

#include <optional>

#include "engine/core/infinity.h"
#include "engine/core/parallel_for.h"
#include "engine/core/profiler_range.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/spanning_by_products.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {

bool isSearchedByProducts(const PointCloud& cloud, const HierarchyOptions& options) {
  return cloud.dims() >= kLeastDimsOfProducts && options.periods.empty() &&
         !isTreeMetric(options.metric) && cloud.size() > 1 &&
         options.minPts <= std::int64_t(cloud.size());
}

Result<std::unique_ptr<CloudTree>> searchCloudTree(const CloudTreeInput& input,
                                                   HierarchySeconds& seconds, const Task& task) {
  const PointCloud& cloud = input.cloud;
  const HierarchyOptions& options = input.options;
  auto made = std::make_unique<CloudTree>();
  Stopwatch watch;
  ProfilerRange profiled("index");
  std::optional<RoundedPoints> rounded;
  if (isSearchedByProducts(cloud, options)) {
    const PointCloud* const clouds[] = {&cloud};
    auto points = roundPoints(cloud, roundingFor(clouds, task), task);
    if (!points) return tl::unexpected(points.error());
    made->leaves = placesOf(*points);
    rounded = std::move(*points);
  } else {
    auto leaves = buildLeafTree(cloud, options.periods, options.metric, task);
    if (!leaves) return tl::unexpected(leaves.error());
    made->leaves = std::move(*leaves);
  }
  seconds.index += watch.lap();
  profiled.next("nearest neighbours");
  if (input.given == nullptr) {
    const bool anyCore = options.minPts <= std::int64_t(cloud.size());
    const std::int64_t most = neighboursFor(options.minPts);
    const int k = input.k > 0 ? input.k : anyCore ? int(most) : 1;
    auto nearest = rounded ? nearestPlaces(*rounded, made->leaves, k, task)
                           : nearestPlaces(made->leaves, k, task);
    if (!nearest) return tl::unexpected(nearest.error());
    made->nearest = std::move(*nearest);
    seconds.neighbours += watch.lap();
    made->core = squaredCoreDistances(made->leaves, made->nearest, options.minPts);
    made->lists = PlaceLists::ofPlaces(made->nearest);
  } else {
    made->core = squaredCoreDistances(*input.given, options.minPts);
    made->lists = PlaceLists::ofPoints(made->leaves, *input.given, task);
  }
  if (task.cancelled()) return cancelledError();
  profiled.next("spanning tree");
  auto tree = rounded ? spanningTreeByProducts(*rounded, made->leaves, made->core, options.minPts,
                                               made->lists, task)
                      : spanningTree(made->leaves, made->core, options.minPts, made->lists, task);
  if (!tree) return tl::unexpected(tree.error());
  made->tree = std::move(*tree);
  seconds.tree += watch.lap();
  return made;
}

std::uint64_t cloudTreePeakBytes(const PointCloud& cloud, const HierarchyOptions& options) {
  if (!isSearchedByProducts(cloud, options)) return leafTreePeakBytes(cloud.size(), cloud.dims());
  // The forest and its bottlenecks, floors and ways of places; edges of the lists and of each
  // thread, at most two for a place, in arrays that may be twice as large.
  constexpr std::uint64_t kBytesOfAPlace = 200;
  constexpr std::uint64_t kBytesOfEdges = 4 * sizeof(TreeEdge);
  const auto threads =
      std::uint64_t(options.threads > 0 ? options.threads : tbb::info::default_concurrency());
  return roundedPeakBytes(cloud) + (kBytesOfAPlace + kBytesOfEdges * (1 + threads)) * cloud.size();
}

LargeArray<double> squaredCoreDistances(const NearestNeighbours& nearest, std::int64_t minPts) {
  LargeArray<double> core(nearest.points);
  parallelFor(nearest.points, 65536, [&](std::size_t p) {
    core[p] = minPts > std::int64_t(nearest.points)
                  ? kInfinity
                  : nearest.squaredDistancesOf(p)[std::size_t(minPts - 1)];
  });
  return core;
}

LargeArray<double> squaredCoreDistances(const LeafTree& tree, const NearestNeighbours& byPlace,
                                        std::int64_t minPts) {
  LargeArray<double> core(tree.points);
  const bool anyCore = minPts <= std::int64_t(tree.points);
  parallelFor(tree.points, 16384, [&](std::size_t place) {
    core[tree.ids[place]] =
        anyCore ? byPlace.squaredDistancesOf(place)[std::size_t(minPts - 1)] : kInfinity;
  });
  return core;
}

}  // namespace clusterloom
