#include "engine/hybrid/hybrid_backend.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <optional>

#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/join_dbscan.h"
#include "engine/cpu/prepared_join.h"
#include "engine/dbscan/labelling.h"
#include "engine/hybrid/shared_join.h"
#include "engine/join/pairs_of_table.h"

namespace clusterloom {
namespace {

constexpr BackendLimits kLimits{
    .name = "hybrid", .threadGroups = true, .singlePrecision = true, .hybrid = true};

Result<JoinPlan> planned(const JoinInput& input, double eps, Strategy strategy, SinkKind sink,
                         const Task& task) {
  if (strategy.order == QueryOrder::Cell) strategy.order = QueryOrder::WorkQueue;
  return planJoin(input, eps, strategy, sink, kLimits, task);
}

// The same run on the CPU alone.
Strategy forCpu(Strategy strategy) {
  const Strategy standard;
  strategy.threadsPerPoint = standard.threadsPerPoint;
  strategy.streams = standard.streams;
  strategy.blockSize = standard.blockSize;
  strategy.division = standard.division;
  strategy.cpuMethod = standard.cpuMethod;
  strategy.cpuBatch = standard.cpuBatch;
  return strategy;
}

// A shared join and its parts, each after those that it refers to.
struct Run {
  Run(const SharedDevice& device, int threads, const PointCloud& cloud, double eps,
      const JoinPlan& joinPlan, const Task& runTask)
      : plan(joinPlan),
        task(runTask),
        setup{
            .device = device,
            .makeCpuSide = plan.strategy.cpuMethod == CpuMethod::Grid ? makeGridSide : makeEgoSide,
            .threads = threads,
            .division = plan.strategy.division,
            .cpuBatch = plan.strategy.cpuBatch > 0 ? plan.strategy.cpuBatch : kCpuBatch,
            .batchPairs =
                plan.strategy.batchPairs > 0 ? plan.strategy.batchPairs : kSharedBatchPairs},
        work{cloud, eps, plan},
        join(setup, work, task) {}

  const JoinPlan& plan;
  const Task& task;
  const SharedSetup setup;
  const SharedWork work;
  SharedJoin join;
  Stopwatch watch;
  RunStats stats;
  std::vector<std::uint32_t> countOfQuery;

  Result<void> prepare() {
    task.report("index", 0);
    auto done = join.prepare();
    stats.seconds.index = watch.lap();
    return done;
  }

  // Counts of all queries; `enough` as in PassRequest.
  Result<void> count(std::string_view stage, std::uint32_t enough) {
    countOfQuery.resize(join.queries().size());
    JoinSink sink(countOfQuery);
    auto pass = join.pass({.stage = stage, .enough = enough}, sink);
    if (!pass) return tl::unexpected(pass.error());
    stats.passes.push_back(std::move(*pass));
    return {};
  }

  Result<void> fill(NeighbourTable& table) {
    JoinSink sink(table, join.queries());
    auto pass = join.pass({.stage = "filling", .neighbours = countOfQuery}, sink);
    if (!pass) return tl::unexpected(pass.error());
    stats.passes.push_back(std::move(*pass));
    return {};
  }

  // visit(query, point) for every query, in parallel.
  template <class Visit>
  void forEachQuery(const Visit& visit) const {
    const std::vector<std::uint32_t>& points = *join.queries().points;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, points.size(), 1 << 14),
                      [&](const auto& range) {
                        for (std::size_t q = range.begin(); q < range.end(); ++q)
                          visit(q, points[q]);
                      });
  }

  std::uint64_t pairs() const {
    return std::accumulate(countOfQuery.begin(), countOfQuery.end(), std::uint64_t{0});
  }
};

class HybridBackend final : public Backend {
 public:
  HybridBackend(std::unique_ptr<SharedDevice> device, int threads)
      : device_(std::move(device)), threads_(threads), cpu_(makeCpuBackend(threads)) {}

  std::string_view name() const override { return kLimits.name; }
  BackendLimits limits() const override { return kLimits; }
  std::string describe() const override {
    return cpu_->describe() + ", and " + device_->describe();
  }
  std::vector<GpuDevice> devices() const override { return device_->devices(); }

  Result<NeighbourCounts> count(const JoinInput& input, double eps, const Strategy& strategy,
                                const Task& task) const override {
    return guarded<NeighbourCounts>([&]() -> Result<NeighbourCounts> {
      const auto plan = planned(input, eps, strategy, SinkKind::Counts, task);
      if (!plan) return tl::unexpected(plan.error());
      Run run(*device_, threads_, input.points, eps, *plan, task);
      if (auto ready = run.prepare(); !ready) return tl::unexpected(ready.error());
      if (auto counted = run.count("counting", ~std::uint32_t{0}); !counted)
        return tl::unexpected(counted.error());
      NeighbourCounts result;
      result.counts.resize(input.points.size());
      run.forEachQuery(
          [&](std::size_t q, std::uint32_t point) { result.counts[point] = run.countOfQuery[q]; });
      result.pairs = run.pairs();
      result.candidates = run.join.queries().candidatesBefore.back();
      finish(run, result.stats);
      return result;
    });
  }
  Result<PairList> pairs(const JoinInput& input, double eps, const Strategy& strategy,
                         const Task& task) const override {
    return guarded<PairList>([&]() -> Result<PairList> {
      auto table = tableHere(input, eps, strategy, SinkKind::Pairs, sizeof(Pair), task);
      if (!table) return tl::unexpected(table.error());
      auto list = pairsOfTable(*table, task);
      if (!list) return cancelledError();
      return std::move(*list);
    });
  }
  Result<NeighbourTable> neighbourTable(const JoinInput& input, double eps,
                                        const Strategy& strategy, const Task& task) const override {
    return guarded<NeighbourTable>(
        [&] { return tableHere(input, eps, strategy, SinkKind::NeighbourTable, 0, task); });
  }
  Result<DistanceHistogram> histogram(const JoinInput& input, double eps, int bins,
                                      const Strategy& strategy, const Task& task) const override {
    return byCpu<DistanceHistogram>(input, strategy, SinkKind::Histogram, [&](const Strategy& s) {
      return cpu_->histogram(input, eps, bins, s, task);
    });
  }
  Result<LowestLabels> lowestLabels(const JoinInput& input, std::span<const std::int32_t> labels,
                                    double eps, const Strategy& strategy,
                                    const Task& task) const override {
    return byCpu<LowestLabels>(input, strategy, SinkKind::LowestLabels, [&](const Strategy& s) {
      return cpu_->lowestLabels(input, labels, eps, s, task);
    });
  }
  Result<Clustering> dbscan(const PointCloud& cloud, const DbscanParams& params,
                            const Strategy& strategy, const Task& task) const override {
    return guarded<Clustering>([&] { return dbscanHere(cloud, params, strategy, task); });
  }
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    Strategy modelled = forCpu(strategy);
    modelled.threadsPerPoint = strategy.threadsPerPoint;
    modelled.streams = strategy.streams;
    modelled.blockSize = strategy.blockSize;
    return cpu_->load(cloud, eps, modelled, request, task);
  }

 private:
  template <class T, class Body>
  Result<T> guarded(const Body& body) const {
    try {
      tbb::task_arena arena(threads_);
      return arena.execute(body);
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::TooLarge,
                  "Not enough memory for this run. Use a smaller ε or a smaller cloud.");
    }
  }

  // What is not worth sharing, after the same checks.
  template <class T, class Body>
  Result<T> byCpu(const JoinInput& input, const Strategy& strategy, SinkKind sink,
                  const Body& body) const {
    if (auto legal = checkStrategy(strategy, sink, kLimits, input.points.dims(),
                                   input.twoClouds ? JoinSides::TwoClouds : JoinSides::OneCloud);
        !legal)
      return tl::unexpected(legal.error());
    Result<T> result = body(forCpu(strategy));
    if (result) {
      result->stats.backend = kLimits.name;
      addNote(result->stats, "The CPU did this alone: it is not shared with the GPU.");
    }
    return result;
  }

  void finish(Run& run, RunStats& stats) const {
    stats = std::move(run.stats);
    run.join.addTo(stats);
    for (const SharedPass& pass : stats.passes) stats.batches += pass.batches.size();
    stats.backend = kLimits.name;
    stats.threads = threads_;
    stats.strategy = clusterloom::describe(run.plan.strategy);
    if (run.plan.strategy.division == Division::Adaptive) stats.strategy += ", division adaptive";
    stats.indexedDims = run.plan.strategy.indexedDims;
    addNote(stats, run.plan.note);
    addNote(stats, run.join.note());
    stats.seconds.join += run.watch.lap();
    stats.seconds.total = stats.seconds.index + stats.seconds.join + stats.seconds.label;
  }

  // Both count, then both fill rows in their places. `bytesMore` is what the caller will need per
  // pair on top of the table itself.
  Result<NeighbourTable> tableHere(const JoinInput& input, double eps, const Strategy& strategy,
                                   SinkKind kind, std::uint64_t bytesMore, const Task& task) const {
    const auto plan = planned(input, eps, strategy, kind, task);
    if (!plan) return tl::unexpected(plan.error());
    Run run(*device_, threads_, input.points, eps, *plan, task);
    if (auto ready = run.prepare(); !ready) return tl::unexpected(ready.error());
    if (auto counted = run.count("counting", ~std::uint32_t{0}); !counted)
      return tl::unexpected(counted.error());
    NeighbourTable table;
    table.offsets.assign(input.points.size() + 1, 0);
    run.forEachQuery([&](std::size_t q, std::uint32_t point) {
      table.offsets[point + std::size_t{1}] = run.countOfQuery[q];
    });
    std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
    const std::uint64_t pairs = table.offsets.back();
    const std::uint64_t bytes = pairs * (sizeof(std::int32_t) + bytesMore);
    const std::uint64_t available = availableMemory();
    if (bytes > available)
      return fail(ErrorKind::TooLarge, "The result would be " + std::to_string(pairs) + " pairs, " +
                                           memoryText(bytes) + ", and " + memoryText(available) +
                                           " are free. Use a smaller ε, or ask for counts only.");
    if (!resizeAndTouch(table.ids, pairs, "reserving memory", task)) return cancelledError();
    if (auto filled = run.fill(table); !filled) return tl::unexpected(filled.error());
    finish(run, table.stats);
    return table;
  }

  // The core test by both, the rest by the CPU.
  Result<Clustering> dbscanHere(const PointCloud& cloud, const DbscanParams& params,
                                const Strategy& strategy, const Task& task) const {
    if (params.minPts < 1)
      return fail(ErrorKind::BadCall,
                  "minPts must be at least 1, not " + std::to_string(params.minPts) + ".");
    const auto plan = planned(cloud, params.eps, strategy, SinkKind::Dbscan, task);
    if (!plan) return tl::unexpected(plan.error());
    Run run(*device_, threads_, cloud, params.eps, *plan, task);
    if (auto noise = withoutCorePoints(cloud.size(), params)) {
      finish(run, noise->stats);
      return std::move(*noise);
    }
    if (auto ready = run.prepare(); !ready) return tl::unexpected(ready.error());
    const auto minPts = static_cast<std::uint32_t>(params.minPts);  // at most the points
    const bool stops = plan->strategy.earlyStop == Toggle::On;
    if (auto counted = run.count("core test", stops ? minPts : ~std::uint32_t{0}); !counted)
      return tl::unexpected(counted.error());
    JoinPlan labelling = *plan;
    labelling.strategy.order = QueryOrder::Cell;
    labelling.strategy.batchPairs = 0;
    run.stats.seconds.join = run.watch.lap();
    const auto join = prepareJoin(cloud, params.eps, labelling, task);
    if (!join) return tl::unexpected(join.error());
    run.stats.seconds.index += run.watch.lap();
    std::vector<std::uint8_t> coreOfPoint(cloud.size());
    run.forEachQuery([&](std::size_t q, std::uint32_t point) {
      coreOfPoint[point] = run.countOfQuery[q] >= minPts;
    });
    std::vector<std::uint8_t> core(cloud.size());
    for (std::size_t p = 0; p < core.size(); ++p) core[p] = coreOfPoint[(*join)->pointIds()[p]];
    auto clustering = labelByJoin(**join, params, core, task);
    if (!clustering) return clustering;
    const RunStats labelled = std::move(clustering->stats);
    run.watch.lap();  // the label stage has measured its own time
    RunStats& stats = clustering->stats;
    finish(run, stats);
    stats.cells = labelled.cells;
    stats.distanceCalculations += labelled.distanceCalculations;
    stats.seconds.join += labelled.seconds.join;
    stats.seconds.label = labelled.seconds.label;
    stats.seconds.total += labelled.seconds.join + labelled.seconds.label;
    return clustering;
  }

  const std::unique_ptr<SharedDevice> device_;
  const int threads_;
  const std::unique_ptr<Backend> cpu_;  // also allows TBB as many threads
};

}  // namespace

std::unique_ptr<Backend> makeHybridBackend(std::unique_ptr<SharedDevice> device, int threads) {
  return std::make_unique<HybridBackend>(std::move(device), threads);
}

}  // namespace clusterloom
