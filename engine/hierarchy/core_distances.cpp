#include "engine/hierarchy/core_distances.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "engine/core/infinity.h"

namespace clusterloom {

LargeArray<double> squaredCoreDistances(const NearestNeighbours& nearest, std::int64_t minPts) {
  LargeArray<double> core(nearest.points);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, nearest.points, 65536),
                    [&](const auto& range) {
                      for (std::size_t p = range.begin(); p < range.end(); ++p)
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
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tree.points, 16384), [&](const auto& range) {
    for (std::size_t place = range.begin(); place < range.end(); ++place)
      core[tree.ids[place]] =
          anyCore ? byPlace.squaredDistancesOf(place)[std::size_t(minPts - 1)] : kInfinity;
  });
  return core;
}

}  // namespace clusterloom
