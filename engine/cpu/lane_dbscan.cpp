#include "engine/cpu/lane_dbscan.h"

#include <algorithm>

#include "engine/core/stopwatch.h"
#include "engine/cpu/count_neighbours.h"
#include "engine/cpu/cpu_join.h"
#include "engine/cpu/cpu_sinks.h"
#include "engine/dbscan/labelling.h"

namespace clusterloom {

Result<Clustering> laneDbscan(const PointCloud& cloud, const DbscanParams& params,
                              const JoinPlan& plan, const Task& task) {
  Stopwatch watch;
  Clustering clustering;
  clustering.params = params;
  StageSeconds& seconds = clustering.stats.seconds;
  const auto prepared = prepareCpuJoin(cloud, params.eps, plan, task);
  if (!prepared) return tl::unexpected(prepared.error());
  const CpuJoin& join = **prepared;
  const std::size_t n = cloud.size();
  seconds.index = watch.lap();

  std::vector<std::uint32_t> counts(n, 0);
  const auto minPts = static_cast<std::uint64_t>(params.minPts);
  const bool stops = plan.strategy.earlyStop == Toggle::On;
  const auto enough =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(stops ? minPts : n + 1, n + 1));
  const auto counted = countNeighbours(join, "core test", counts, enough, task);
  if (!counted) return tl::unexpected(counted.error());
  std::vector<std::uint8_t> core(n);
  for (std::size_t p = 0; p < n; ++p) core[p] = counts[p] >= minPts;

  UnionFind sets(n);
  // Under a half pattern a pair may be found from its non-core end, so that every point is a query.
  const auto united = runCpuJoin(
      join, "union", task, [&] { return UnionSink(sets, core); },
      [&](std::uint32_t p) { return join.half || core[p]; });
  if (!united) return tl::unexpected(united.error());
  seconds.join = watch.lap();

  std::vector<std::uint32_t> roots(n);
  for (std::size_t p = 0; p < n; ++p) roots[p] = sets.find(static_cast<std::uint32_t>(p));
  const ClusterNumbers numbers = numberClusters(roots, core, join.index.pointIds);
  clustering.clusters = numbers.clusters;
  std::vector<std::int32_t> labels(n, kNoise);
  for (std::size_t p = 0; p < n; ++p)
    if (core[p]) labels[p] = numbers.ofSet[roots[p]];
  const auto bordered = runCpuJoin(
      join, "border points", task, [&] { return BorderSink(labels, core); },
      [&](std::uint32_t p) { return join.half || !core[p]; });
  if (!bordered) return tl::unexpected(bordered.error());

  clustering.labels.resize(n);
  std::vector<std::uint8_t> coreByPoint(n);
  for (std::size_t p = 0; p < n; ++p) {
    clustering.labels[join.index.pointIds[p]] = labels[p];
    coreByPoint[join.index.pointIds[p]] = core[p];
  }
  fillRoles(clustering, coreByPoint);
  seconds.label = watch.lap();

  clustering.stats.distanceCalculations = *counted + *united + *bordered;
  clustering.stats.cells = join.index.cells();
  clustering.stats.batches = join.schedule.batches();
  return clustering;
}

}  // namespace clusterloom
