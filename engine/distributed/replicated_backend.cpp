#include "engine/distributed/replicated_backend.h"

#include <algorithm>
#include <numeric>

#include "engine/core/stopwatch.h"
#include "engine/core/within_memory.h"
#include "engine/distributed/device_threads.h"
#include "engine/distributed/part_counts.h"
#include "engine/distributed/plan.h"
#include "engine/distributed/replicated_join.h"
#include "engine/distributed/selection.h"
#include "engine/hybrid/for_each_query.h"
#include "engine/join/distance_bins.h"
#include "engine/join/pairs_of_table.h"
#include "engine/joins_by.h"

namespace clusterloom {
namespace {

// As those of joins by two processors: queries in the order of their workload, which find all their
// neighbours themselves.
constexpr BackendLimits kLimits{.name = "replicated",
                                .threadGroups = true,
                                .singlePrecision = true,
                                .twoClouds = true,
                                .hybrid = true};

Result<JoinPlan> planned(const JoinArguments& call) {
  const Strategy& strategy = call.strategy;
  const Strategy standard;
  if (strategy.division != standard.division || strategy.cpuMethod != standard.cpuMethod ||
      strategy.cpuBatch != standard.cpuBatch || strategy.referenceEps != standard.referenceEps)
    return badCall(
        "Several devices share a join by query sets (--query-sets, --deal); leave the "
        "options of the backend hybrid out.");
  return planJoin(call.input, call.eps, strategy, call.sink, kLimits, call.task);
}

class ReplicatedBackend final : public JoinsBy<ReplicatedBackend> {
 public:
  ReplicatedBackend(std::vector<ReplicatedDevice> devices, const ReplicatedOptions& options)
      : options_(options) {
    for (ReplicatedDevice& device : devices) {
      devices_.push_back(std::move(device.device));
      alone_.push_back(std::move(device.alone));
    }
  }

  std::string_view name() const override { return kLimits.name; }
  BackendLimits limits() const override { return kLimits; }
  std::string describe() const override {
    std::string text;
    for (const auto& device : devices_) text += (text.empty() ? "" : " + ") + device->describe();
    return text;
  }
  std::vector<GpuDevice> devices() const override { return alone_.front()->devices(); }

  // What is not shared.
  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    Result<T> result = call.on(*alone_.front());
    if (result && devices_.size() > 1)
      addNote(result->stats, "The first device did this alone: it is not shared.");
    return result;
  }
  Result<NeighbourCounts> join(const JoinCall<NeighbourCounts>& call) const {
    return withinMemory([&] { return countHere(call); });
  }
  Result<NeighbourTable> join(const JoinCall<NeighbourTable>& call) const {
    return withinMemory([&] { return tableHere(call, 0); });
  }
  Result<PairList> join(const JoinCall<PairList>& call) const {
    return withinMemory([&] { return pairsOfTable(tableHere(call, sizeof(Pair)), call.task); });
  }
  Result<DistanceHistogram> join(const JoinCall<DistanceHistogram>& call) const {
    return withinMemory([&] { return histogramHere(call); });
  }
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    return alone_.front()->load(cloud, eps, strategy, request, task);
  }

 private:
  // The order that the query sets are taken from, where the call leaves it open.
  void inOrder(JoinPlan& plan) const {
    if (plan.strategy.order == QueryOrder::Cell)
      plan.strategy.order =
          options_.deal == Deal::Single ? QueryOrder::Input : QueryOrder::WorkQueue;
  }

  // Counts in long runs: two at once on a device, so that one follows the other without a gap, and
  // small blocks, whose warps wait for few others at the end of a run.
  static void byLongRuns(JoinPlan& plan) {
    if (plan.strategy.streams == 0) plan.strategy.streams = 2;
    if (plan.strategy.blockSize == 0) plan.strategy.blockSize = 64;
  }

  // Where neither sets nor deal are given, a device's own method may be faster.
  Result<std::optional<NeighbourCounts>> countByParts(const JoinArguments& call,
                                                      const JoinPlan& plan) const {
    if (call.input.twoClouds || options_.querySets > 0 || options_.deal != Deal::Queue ||
        plan.strategy.order != QueryOrder::Cell)
      return std::nullopt;
    auto result = clusterloom::countByParts(
        devices_, {.input = call.input, .eps = call.eps, .plan = plan}, call.task);
    if (result && *result) {
      fill((**result).stats, plan);
      (**result).stats.strategy += ", by parts";
    }
    return result;
  }

  // A join and its parts, each after those that it refers to.
  struct Run {
    Run(const ReplicatedBackend& of, const JoinArguments& call, const JoinPlan& joinPlan)
        : backend(of),
          plan(joinPlan),
          setup{.devices = of.devices_,
                .deal = of.options_.deal,
                .querySets = of.querySets(call.input),
                .threadsEach = of.options_.threadsEach},
          work{.input = call.input,
               .eps = call.eps,
               .plan = plan,
               .querySets = isFixedDeal(setup.deal) ? setup.querySets : 1,
               .singleQueries = setup.deal == Deal::Single},
          join(setup, work, call.task) {}

    const ReplicatedBackend& backend;
    const JoinPlan& plan;
    const ReplicatedSetup setup;
    const SharedWork work;
    ReplicatedJoin join;
    Stopwatch watch;
    RunStats stats;
    std::vector<std::uint32_t> countOfQuery;

    Result<void> count() {
      if (auto ready = join.prepare(); !ready) return ready;
      stats.seconds.index = watch.lap();
      countOfQuery.resize(join.queries().size());
      JoinSink sink(countOfQuery);
      return join.pass({.stage = "counting"}, sink);
    }

    void finish(RunStats& to) {
      stats.seconds.join += watch.lap();
      to = std::move(stats);
      join.addTo(to);
      backend.fill(to, plan);
      to.strategy += ", deal " + toText(backend.options_.deal);
      addNote(to, join.note());
    }
  };

  std::uint32_t querySets(const JoinInput& input) const {
    if (options_.querySets == 0 && options_.deal == Deal::Queue) return 0;
    const std::uint64_t asked =
        options_.querySets > 0 ? options_.querySets : kSetsPerRank * std::uint64_t(devices_.size());
    return std::uint32_t(
        std::clamp<std::uint64_t>(asked, 1, std::max<std::uint64_t>(1, input.queries.size())));
  }

  void fill(RunStats& stats, const JoinPlan& plan) const {
    describePlan(plan, kLimits.name, stats);
    stats.threads = int(devices_.size());
    stats.seconds.total = stats.seconds.index + stats.seconds.join;
  }

  Result<NeighbourCounts> countHere(const JoinArguments& call) const {
    auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    if (auto whole = countByParts(call, *plan); !whole || *whole) {
      if (!whole) return tl::unexpected(whole.error());
      return std::move(**whole);
    }
    inOrder(*plan);
    if (options_.deal == Deal::Queue) byLongRuns(*plan);
    Run run(*this, call, *plan);
    if (auto counted = run.count(); !counted) return tl::unexpected(counted.error());
    NeighbourCounts result;
    result.counts.assign(call.input.queries.size(), 0);
    forEachQuery(run.join.queries(), [&](std::size_t q, std::uint32_t point) {
      result.counts[point] = run.countOfQuery[q];
    });
    result.pairs =
        std::accumulate(run.countOfQuery.begin(), run.countOfQuery.end(), std::uint64_t{0});
    result.candidates = run.join.queries().candidatesBefore.back();
    run.finish(result.stats);
    return result;
  }

  // Count, then fill rows in their places. `bytesMore` is what the caller will need per pair on top
  // of the table itself.
  Result<NeighbourTable> tableHere(const JoinArguments& call, std::uint64_t bytesMore) const {
    auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    inOrder(*plan);
    Run run(*this, call, *plan);
    if (auto counted = run.count(); !counted) return tl::unexpected(counted.error());
    auto table = tableOfCounts(run.join.queries(), run.countOfQuery, call.input.queries.size(),
                               bytesMore, call.task);
    if (!table) return table;
    JoinSink sink(*table, run.join.queries());
    if (auto filled = run.join.pass({.stage = "filling", .neighbours = run.countOfQuery}, sink);
        !filled)
      return tl::unexpected(filled.error());
    table->candidates = run.join.queries().candidatesBefore.back();
    run.finish(table->stats);
    return table;
  }

  // Each device has the queries r, r + g, …
  Result<DistanceHistogram> histogramHere(const JoinArguments& call) const {
    const auto& input = call.input;
    const Task& task = call.task;
    const auto edges = makeDistanceBins(call.eps, call.bins);
    if (!edges) return tl::unexpected(edges.error());
    auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    inOrder(*plan);
    const Stopwatch watch;
    const std::size_t parts = std::min(devices_.size(), input.queries.size());
    std::vector<Result<DistanceHistogram>> made(parts);
    std::vector<double> ends(parts);
    std::stop_source stop;  // of the task, or of the first device that fails
    const std::stop_callback stopWithTask(task.stop, [&] { stop.request_stop(); });
    const auto started = onThreads(parts, [&](std::size_t r) {
      const Task own{.stop = stop.get_token(), .progress = r == 0 ? task.progress : nullptr};
      made[r] = withinMemory([&] {
        const PointCloud queries = selectionOf(input.queries, r, parts);
        return alone_[r]->histogram(JoinInput(queries, input.points), call.eps, call.bins,
                                    plan->strategy, own);
      });
      if (!made[r]) stop.request_stop();
      ends[r] = watch.seconds();
    });
    if (!started) return tl::unexpected(started.error());
    if (task.cancelled()) return cancelledError();
    for (std::size_t r = 0; r < parts; ++r)
      if (!made[r] && made[r].error().kind != ErrorKind::Cancelled)
        return fail(made[r].error().kind, devices_[r]->describe() + ": " + made[r].error().message);
    DistanceHistogram all;
    all.upper = edges->upper;
    all.pairs.assign(edges->upper.size(), 0);
    for (std::size_t r = 0; r < parts; ++r) {
      if (!made[r]) return tl::unexpected(made[r].error());
      const RunStats& stats = made[r]->stats;
      for (std::size_t bin = 0; bin < all.pairs.size(); ++bin)
        all.pairs[bin] += made[r]->pairs[bin];
      all.stats.distanceCalculations += stats.distanceCalculations;
      all.stats.seconds.index = std::max(all.stats.seconds.index, stats.seconds.index);
      all.stats.cells = stats.cells;
      all.stats.batches += 1;
      all.stats.ranks.push_back({.name = devices_[r]->describe(),
                                 .index = stats.seconds.index,
                                 .join = stats.seconds.join,
                                 .waiting = watch.seconds() - ends[r],
                                 .end = ends[r],
                                 .points = partSize(input.queries.size(), parts, r),
                                 .batches = 1});
    }
    all.stats.seconds.join = watch.seconds() - all.stats.seconds.index;
    fill(all.stats, *plan);
    all.stats.strategy += ", deal " + toText(options_.deal);
    return all;
  }

  const ReplicatedOptions options_;
  std::vector<std::unique_ptr<SharedDevice>> devices_;
  std::vector<std::unique_ptr<Backend>> alone_;
};

}  // namespace

std::unique_ptr<Backend> makeReplicatedBackend(std::vector<ReplicatedDevice> devices,
                                               const ReplicatedOptions& options) {
  return std::make_unique<ReplicatedBackend>(std::move(devices), options);
}

}  // namespace clusterloom
