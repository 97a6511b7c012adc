#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "engine/core/chunks.h"
#include "engine/core/in_arena.h"
#include "engine/core/memory_budget.h"
#include "engine/core/predicate.h"
#include "engine/core/profiler_range.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/tree_join.h"
#include "engine/dbscan/labelling.h"
#include "engine/forwarding_backend.h"
#include "engine/join/distance_bins.h"
#include "engine/join/pairs_of_table.h"
#include "engine/join/sort_rows.h"

namespace clusterloom {
namespace {

constexpr BackendLimits kTreeLimits{
    .name = "cpu", .twoClouds = true, .manyDims = true, .noOptions = true};

/// Calls body(i) for all i below n, in parallel; ends early when the task is stopped.
template <class Body>
void forAll(std::size_t n, const Task& task, const Body& body) {
  forChunks(n, [&](std::size_t, std::size_t begin, std::size_t end) {
    if (task.cancelled()) return;
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

class TreeBackend final : public JoinsBy<TreeBackend, ForwardingBackend> {
 public:
  TreeBackend(int threads, Metric metric)
      : JoinsBy(makeCpuBackend(threads)), threads_(threads), metric_(metric) {}

  BackendLimits limits() const override { return kTreeLimits; }

  Result<NeighbourCounts> join(const JoinCall<NeighbourCounts>& call) const {
    return joined(call, [&](const TreeJoin& join, NeighbourCounts& result) -> Result<void> {
      result.counts.assign(join.queries().points, 0);
      const Stopwatch watch;
      const std::uint64_t compared =
          countByTree(join, "counting", kEveryNeighbour, result.counts, call.task);
      result.pairs = std::accumulate(result.counts.begin(), result.counts.end(), std::uint64_t{0});
      result.candidates = std::max(compared, result.pairs);  // whole nodes are taken
      result.stats.distanceCalculations = compared;
      result.stats.phases = {{"counting", watch.seconds(), compared}};
      return {};
    });
  }

  Result<NeighbourTable> join(const JoinCall<NeighbourTable>& call) const {
    return joined(call, [&](const TreeJoin& join, NeighbourTable& table) {
      return fill(join, 0, table, call.task);
    });
  }

  Result<PairList> join(const JoinCall<PairList>& call) const {
    return joined(call, [&](const TreeJoin& join, PairList& result) -> Result<void> {
      Result<NeighbourTable> table;
      if (auto filled = fill(join, sizeof(Pair), *table, call.task); !filled) return filled;
      auto list = pairsOfTable(table, call.task);
      if (!list) return tl::unexpected(list.error());
      list->stats.seconds.index = result.stats.seconds.index;
      result = std::move(*list);
      return {};
    });
  }

  Result<DistanceHistogram> join(const JoinCall<DistanceHistogram>& call) const {
    const auto edges = makeDistanceBins(call.eps, call.bins);
    if (!edges) return tl::unexpected(edges.error());
    return joined(call, [&](const TreeJoin& join, DistanceHistogram& result) -> Result<void> {
      result.upper = edges->upper;
      result.pairs.assign(edges->upper.size(), 0);
      result.stats.distanceCalculations = binByTree(join, *edges, result.pairs, call.task);
      return {};
    });
  }

  Result<LowestLabels> join(const JoinCall<LowestLabels>& call) const {
    if (auto fits = checkLabels(call.input, call.labels); !fits)
      return tl::unexpected(fits.error());
    return joined(call, [&](const TreeJoin& join, LowestLabels& result) -> Result<void> {
      result.labels.assign(join.queries().points, kNoise);
      result.stats.distanceCalculations =
          lowestByTree(join, call.labels, {}, result.labels, call.task);
      return {};
    });
  }

  Result<Clustering> join(const JoinCall<Clustering>& call) const {
    if (call.minPts < 1)
      return badCall("minPts must be at least 1, not " + std::to_string(call.minPts) + ".");
    if (call.input.twoClouds) return badCall("DBSCAN clusters one cloud, not two.");
    return joined(call, [&](const TreeJoin& join, Clustering& result) {
      return cluster(join, call.params(), result, call.task);
    });
  }

  Result<LoadReport> load(const PointCloud&, double, const Strategy&, const LoadRequest&,
                          const Task&) const override {
    return noLoadOf(metric_);
  }

 private:
  /// Checks a run, makes its trees, and calls fill(join, result) on an arena.
  template <class T, class Fill>
  Result<T> joined(const JoinCall<T>& call, const Fill& fill) const {
    const Stopwatch total;
    if (auto valid = validate(call.input); !valid) return tl::unexpected(valid.error());
    const auto squaredEps = epsSquared(call.eps);
    if (!squaredEps) return tl::unexpected(squaredEps.error());
    if (auto legal = call.checkFor(kTreeLimits); !legal) return tl::unexpected(legal.error());
    return inArena(threads_, [&]() -> Result<T> {
      ProfilerRange profiled("kd-tree");
      const auto join = prepareTreeJoin(call.input, metric_, *squaredEps, call.task);
      if (!join) return tl::unexpected(join.error());
      T result;
      result.stats.seconds.index = total.seconds();
      profiled.next("join");
      if (auto done = fill(*join, result); !done) return tl::unexpected(done.error());
      if (call.task.cancelled()) return cancelledError();
      RunStats& stats = result.stats;
      stats.backend = kTreeLimits.name;
      stats.threads = threads_;
      stats.strategy = "kd-tree, " + std::string(toText(metric_)) + " distances";
      stats.seconds.total = total.seconds();
      stats.seconds.join = stats.seconds.total - stats.seconds.index - stats.seconds.label;
      if (!stats.phases.empty()) {
        stats.seconds.join = 0;
        for (const JoinPhase& phase : stats.phases) stats.seconds.join += phase.seconds;
      }
      return result;
    });
  }

  /// Count, scan, fill, sort. `bytesMore` is what the caller will need per pair.
  static Result<void> fill(const TreeJoin& join, std::uint64_t bytesMore, NeighbourTable& table,
                           const Task& task) {
    Stopwatch watch;
    const std::size_t n = join.queries().points;
    std::vector<std::uint32_t> counts(n, 0);
    const std::uint64_t counted = countByTree(join, "counting", kEveryNeighbour, counts, task);
    table.stats.phases.push_back({"counting", watch.lap(), counted});
    table.offsets.assign(n + 1, 0);
    for (std::size_t p = 0; p < n; ++p) table.offsets[p + 1] = table.offsets[p] + counts[p];
    const std::uint64_t pairs = table.offsets.back();
    table.candidates = std::max(counted, pairs);
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(pairs, sizeof(std::int32_t) + bytesMore, &bytes))
      bytes = std::numeric_limits<std::uint64_t>::max();
    if (auto fits = checkTableFits(pairs, bytes); !fits) return fits;
    if (task.cancelled() || !resizeAndTouch(table.ids, pairs, "reserving memory", task))
      return cancelledError();
    const std::uint64_t filled = fillByTree(join, table.offsets, table.ids.data(), task);
    table.stats.phases.push_back({"filling", watch.lap(), filled});
    if (task.cancelled() || !sortRows(table, task)) return cancelledError();
    table.stats.phases.push_back({"sorting", watch.lap(), 0});
    table.stats.distanceCalculations = counted + filled;
    return {};
  }

  static Result<void> cluster(const TreeJoin& join, const DbscanParams& params, Clustering& result,
                              const Task& task) {
    const std::size_t n = join.points.points;
    const double indexSeconds = result.stats.seconds.index;
    if (auto noise = withoutCorePoints(n, params)) {
      result = std::move(*noise);
      result.stats.seconds.index = indexSeconds;
      return {};
    }
    result.params = params;
    std::vector<std::uint32_t> counts(n, 0);
    std::uint64_t compared =
        countByTree(join, "core test", std::uint32_t(params.minPts), counts, task);
    // By point, and by place of the tree, whose points are in the order of its ids.
    std::vector<std::uint8_t> core(n);
    forAll(n, task, [&](std::size_t p) { core[p] = counts[p] >= std::uint64_t(params.minPts); });
    if (task.cancelled()) return cancelledError();
    const LargeArray<std::uint32_t> roots = uniteByTree(join, core, compared, task);
    if (task.cancelled()) return cancelledError();
    const Stopwatch labelling;
    const std::span<const std::uint32_t> ids(join.points.ids.data(), n);
    std::vector<std::uint8_t> coreOfPlace(n);
    forAll(n, task, [&](std::size_t place) { coreOfPlace[place] = core[ids[place]]; });
    if (task.cancelled()) return cancelledError();
    const ClusterNumbers numbers = numberClusters(roots, coreOfPlace, ids);
    result.clusters = numbers.clusters;
    std::vector<std::int32_t> ofCore(n, kNoise);
    std::vector<std::uint8_t> others(n);
    forAll(n, task, [&](std::size_t place) {
      if (coreOfPlace[place] != 0)
        ofCore[ids[place]] = numbers.ofSet[roots[place]];
      else
        others[ids[place]] = 1;
    });
    if (task.cancelled()) return cancelledError();
    result.labels = ofCore;
    compared += lowestByTree(join, ofCore, others, result.labels, task);
    if (task.cancelled()) return cancelledError();
    fillRoles(result, core);
    result.stats.distanceCalculations = compared;
    result.stats.seconds.label = labelling.seconds();
    return {};
  }

  int threads_;
  Metric metric_;
};

}  // namespace

std::unique_ptr<Backend> makeTreeBackend(int threads, Metric metric) {
  return std::make_unique<TreeBackend>(threads, metric);
}

}  // namespace clusterloom
