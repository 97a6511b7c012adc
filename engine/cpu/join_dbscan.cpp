#include "engine/cpu/join_dbscan.h"

#include <algorithm>
#include <utility>

#include "engine/core/large_array.h"
#include "engine/core/parallel_for.h"
#include "engine/core/profiler_range.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/labelling.h"

namespace clusterloom {
namespace {

constexpr std::size_t kLabelledAtOnce = 16384;

}  // namespace

Result<Clustering> joinDbscan(const PointCloud& cloud, const DbscanParams& params,
                              const JoinPlan& plan, const Task& task) {
  Stopwatch watch;
  const auto prepared = prepareJoin(cloud, params.eps, plan, task);
  if (!prepared) return tl::unexpected(prepared.error());
  const PreparedJoin& join = **prepared;
  if (auto fine = join.checkDbscan(task); !fine) return tl::unexpected(fine.error());
  const std::size_t n = cloud.size();
  const double indexSeconds = watch.lap();

  std::vector<std::uint32_t> counts(n, 0);
  UnionFind sets(n);
  const auto minPts = std::uint32_t(std::min<std::uint64_t>(std::uint64_t(params.minPts), n + 1));
  const bool stops = plan.strategy.earlyStop == Toggle::On;
  const auto counted = join.testCore(counts, minPts, stops, sets, task);
  if (!counted) return tl::unexpected(counted.error());
  std::vector<std::uint8_t> core(n);
  parallelFor(n, kLabelledAtOnce, [&](std::size_t p) { core[p] = counts[p] >= minPts; });
  const double countSeconds = watch.lap();

  auto clustering = labelByJoin(join, params, core, std::move(sets), task);
  if (!clustering) return clustering;
  clustering->stats.seconds.index = indexSeconds;
  clustering->stats.seconds.join += countSeconds;
  clustering->stats.distanceCalculations += counted->calculations;
  return clustering;
}

Result<Clustering> labelByJoin(const PreparedJoin& join, const DbscanParams& params,
                               const std::vector<std::uint8_t>& core, UnionFind sets,
                               const Task& task) {
  Stopwatch watch;
  ProfilerRange profiled("join");
  Clustering clustering;
  clustering.params = params;
  const std::size_t n = core.size();
  const auto united = join.unite(sets, core, task);
  if (!united) return tl::unexpected(united.error());
  clustering.stats.seconds.join = watch.lap();
  profiled.next("labels");

  LargeArray<std::uint32_t> roots(n);
  parallelFor(n, kLabelledAtOnce, [&](std::size_t p) { roots[p] = sets.find(std::uint32_t(p)); });
  const std::vector<std::uint32_t>& pointIds = join.pointIds();
  const ClusterNumbers numbers = numberClusters(roots, core, pointIds);
  clustering.clusters = numbers.clusters;
  LargeArray<std::int32_t> labels(n);
  parallelFor(n, kLabelledAtOnce,
              [&](std::size_t p) { labels[p] = core[p] ? numbers.ofSet[roots[p]] : kNoise; });
  const auto bordered = join.placeBorders(labels, core, task);
  if (!bordered) return tl::unexpected(bordered.error());

  clustering.labels.resize(n);
  clustering.roles.resize(n);
  parallelFor(n, kLabelledAtOnce, [&](std::size_t p) {
    clustering.labels[pointIds[p]] = labels[p];
    clustering.roles[pointIds[p]] = roleOf(labels[p], core[p] != 0);
  });
  countRoles(clustering);
  clustering.stats.seconds.label = watch.lap();

  clustering.stats.distanceCalculations = united->calculations + bordered->calculations;
  join.addStats(clustering.stats);
  return clustering;
}

}  // namespace clusterloom
