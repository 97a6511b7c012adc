#include "engine/hybrid/hybrid_backend.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>

#include "engine/core/in_arena.h"
#include "engine/core/number_text.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/join_dbscan.h"
#include "engine/cpu/prepared_join.h"
#include "engine/dbscan/labelling.h"
#include "engine/hybrid/for_each_query.h"
#include "engine/hybrid/sampled_rates.h"
#include "engine/hybrid/shared_join.h"
#include "engine/hybrid/shared_stats.h"
#include "engine/hybrid/shares.h"
#include "engine/join/backend_kinds.h"
#include "engine/join/batch_model.h"
#include "engine/join/pairs_of_table.h"
#include "engine/joins_by.h"

namespace clusterloom {
namespace {

constexpr BackendLimits kHybridLimits{.name = kSharingBackend,
                                      .threadGroups = true,
                                      .singlePrecision = true,
                                      .twoClouds = true,
                                      .hybrid = true};

// Seconds per point until an index is there, and per point that sharing costs beside: the order is
// copied to the host, counts pass through it. Measured on one H200 with 16 CPU threads.
constexpr double kGpuIndexSeconds = 5e-9;
constexpr double kCpuIndexThreadSeconds = 170e-9;
constexpr double kSharingSeconds = 4e-9;

Result<JoinPlan> planned(const JoinArguments& call) {
  Strategy strategy = call.strategy;
  if (strategy.order == QueryOrder::Cell) strategy.order = QueryOrder::WorkQueue;
  return planJoin(call.input, call.eps, strategy, call.sink, kHybridLimits, call.task);
}

// The same run on the GPU alone. Counts take no space, so that they need no batches.
Strategy forGpu(const Strategy& asked, SinkKind sink) {
  const Strategy standard;
  Strategy strategy = ofOneProcessor(asked);
  if (sink != SinkKind::Counts && sink != SinkKind::Dbscan) return strategy;
  strategy.batchPairs = standard.batchPairs;
  strategy.streams = standard.streams;
  return strategy;
}

// The same run on the CPU alone.
Strategy forCpu(const Strategy& asked) {
  const Strategy standard;
  Strategy strategy = ofOneProcessor(asked);
  strategy.threadsPerPoint = standard.threadsPerPoint;
  strategy.streams = standard.streams;
  strategy.blockSize = standard.blockSize;
  return strategy;
}

MakeCpuSide sideBy(CpuMethod method) {
  return method == CpuMethod::Grid ? makeGridSide : makeEgoSide;
}

std::string noteOf(const SharingChoice& choice) {
  if (choice.by == SharingChoice::By::Both) return {};
  const bool onGpu = choice.by == SharingChoice::By::Gpu;
  std::string note = onGpu ? "The GPU did this run alone" : "The CPU did this run alone";
  if (!(choice.cpuToGpu > 0)) return note + ".";
  return note + (onGpu ? ": the CPU is expected to have " : ": the GPU is expected to have ") +
         percentText(onGpu ? choice.cpuToGpu : 1 / choice.cpuToGpu) +
         " of its throughput, so that sharing does not pay.";
}

// A shared join and its parts, each after those that it refers to.
struct Run {
  Run(const SharedDevice& device, int threads, const JoinArguments& call, const JoinPlan& joinPlan,
      const SideRates& expected, const std::optional<DivisionForecast>& forecast)
      : plan(joinPlan),
        task(call.task),
        setup{.device = device,
              .makeCpuSide = sideBy(plan.strategy.cpuMethod),
              .threads = threads,
              .division = plan.strategy.division,
              .cpuBatch = plan.strategy.cpuBatch > 0 ? plan.strategy.cpuBatch : kCpuBatch,
              .batchPairs =
                  plan.strategy.batchPairs > 0 ? plan.strategy.batchPairs : kSharedBatchPairs,
              .expected = expected,
              .forecast = forecast},
        work{call.input, call.eps, plan},
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

  // Counts of all queries; `enough` as in PassRequest. There are none where no point of a second
  // cloud can have a neighbour.
  Result<void> count(std::string_view stage, std::uint32_t enough) {
    countOfQuery.resize(join.size());
    if (countOfQuery.empty()) return {};
    JoinSink sink(countOfQuery);
    auto pass = join.pass({.stage = stage, .enough = enough}, sink);
    if (!pass) return tl::unexpected(pass.error());
    stats.passes.push_back(std::move(*pass));
    return {};
  }

  Result<void> fill(NeighbourTable& table) {
    if (countOfQuery.empty()) return {};
    JoinSink sink(table, join.queries());
    auto pass = join.pass({.stage = "filling", .neighbours = countOfQuery}, sink);
    if (!pass) return tl::unexpected(pass.error());
    stats.passes.push_back(std::move(*pass));
    return {};
  }

  std::uint64_t pairs() const {
    return std::accumulate(countOfQuery.begin(), countOfQuery.end(), std::uint64_t{0});
  }
};

class HybridBackend final : public JoinsBy<HybridBackend> {
 public:
  HybridBackend(std::unique_ptr<SharedDevice> device, int threads, std::unique_ptr<Backend> alone,
                std::unique_ptr<RateMemory> rates)
      : device_(std::move(device)),
        threads_(threads),
        cpu_(makeCpuBackend(threads)),
        alone_(std::move(alone)),
        rates_(rates ? std::move(rates) : std::make_unique<RateMemory>()) {}

  std::string_view name() const override { return kHybridLimits.name; }
  BackendLimits limits() const override { return kHybridLimits; }
  std::string describe() const override {
    return cpu_->describe() + ", and " + device_->describe();
  }
  std::vector<GpuDevice> devices() const override { return device_->devices(); }

  // What is not worth sharing.
  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    return byFaster(call);
  }
  Result<NeighbourCounts> join(const JoinCall<NeighbourCounts>& call) const {
    return divided(call, [&](const SideRates& expected) { return countHere(call, expected); });
  }
  Result<PairList> join(const JoinCall<PairList>& call) const {
    return divided(call, [&](const SideRates& expected) {
      return pairsOfTable(tableHere(call, expected, sizeof(Pair)), call.task);
    });
  }
  Result<NeighbourTable> join(const JoinCall<NeighbourTable>& call) const {
    return divided(call, [&](const SideRates& expected) { return tableHere(call, expected, 0); });
  }
  Result<Clustering> join(const JoinCall<Clustering>& call) const {
    if (alone_ && call.strategy.division == Division::Adaptive &&
        call.strategy.method == Method::Grid)
      return byFaster(call);
    return inArena(threads_, [&] { return dbscanHere(call); });
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
  // By which the joins whose rates are remembered are told apart.
  std::string kindOf(const JoinArguments& call) const {
    Strategy own = forGpu(call.strategy, SinkKind::Counts);
    own.cpuMethod = call.strategy.cpuMethod;
    std::string kind = describe() + (call.sink == SinkKind::Counts ? ": counts, " : ": rows, ") +
                       std::to_string(call.input.points.dims()) + " dimensions, " +
                       clusterloom::describe(own);
    std::ranges::replace_if(
        kind, [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return kind;
  }

  // A join by both, or by the adaptive division by one of them where that is expected to be as
  // fast. `shared(rates)`.
  template <class T, class Shared>
  Result<T> divided(const JoinCall<T>& call, const Shared& shared) const {
    if (call.strategy.division != Division::Adaptive)
      return inArena(threads_, [&] { return shared(SideRates{}); });
    if (auto legal = call.checkFor(kHybridLimits); !legal) return tl::unexpected(legal.error());
    const auto forecast = inArena(threads_, [&] { return forecastOf(call); });
    // The run finds and reports errors of the call again.
    const SharingForecast known = forecast ? *forecast : SharingForecast{};
    const SharingChoice choice{alone_ ? whoShould(known) : SharingChoice::By::Both,
                               known.rates.known() ? known.rates.cpu / known.rates.gpu : 0};
    if (choice.by != SharingChoice::By::Both) return bySideOf(call, choice);
    SideRates expected = known.rates;
    expected.gpu *= known.gpuSharedFraction;
    Result<T> result = inArena(threads_, [&] { return shared(expected); });
    if (result) result->stats.sharing = choice;
    return result;
  }

  // What is not worth sharing, by the side that is expected to be faster; by the CPU where the
  // device has no separate backend.
  template <class T>
  Result<T> byFaster(const JoinCall<T>& call) const {
    if (auto legal = call.checkFor(kHybridLimits); !legal) return tl::unexpected(legal.error());
    SharingChoice choice{.by = SharingChoice::By::Cpu};
    if (alone_) {
      const auto rates = inArena(threads_, [&] { return ratesFor(call); });
      choice.by = rates ? fasterSide(*rates) : SharingChoice::By::Gpu;
    }
    Result<T> result = bySideOf(call, choice);
    if (result) addNote(result->stats, "It is not shared between GPU and CPU.");
    return result;
  }

  template <class T>
  Result<T> bySideOf(const JoinCall<T>& call, const SharingChoice& choice) const {
    const bool onGpu = choice.by == SharingChoice::By::Gpu;
    JoinCall<T> own = call;
    own.strategy = onGpu ? forGpu(call.strategy, call.sink) : forCpu(call.strategy);
    Result<T> result = own.on(onGpu ? *alone_ : *cpu_);
    if (!result) return result;
    RunStats& stats = result->stats;
    if constexpr (std::is_same_v<T, NeighbourCounts>)
      if (onGpu && stats.backend != cpu_->name() && stats.seconds.join > 0)
        rates_->learn(kindOf(call), {.gpu = (double(result->candidates) +
                                             kQueryWork * double(result->counts.size())) /
                                            stats.seconds.join});
    stats.backend = kHybridLimits.name;
    stats.threads = threads_;
    if (call.strategy.division == Division::Adaptive) stats.strategy += ", division adaptive";
    stats.sharing = choice;
    std::string remarks = std::move(stats.note);
    stats.note = noteOf(choice);
    addNote(stats, remarks);
    return result;
  }

  // The expected rates of both sides. The CPU's rate is sampled where it is unknown.
  Result<SideRates> ratesFor(const JoinArguments& call) const {
    const std::string kind = kindOf(call);
    SideRates rates = rates_->of(kind);
    if (rates.known()) return rates;
    if (!(rates.gpu > 0)) rates.gpu = device_->expectedRate(call.input.points.dims());
    if (!(rates.gpu > 0) || rates.cpu > 0) return rates;
    const auto sample = sampleOf(call);
    if (!sample) return tl::unexpected(sample.error());
    const auto cpu = sampledCpuRate(*sample, sideBy(call.strategy.cpuMethod), threads_, call.task);
    if (!cpu) return tl::unexpected(cpu.error());
    rates_->learn(kind, {.cpu = *cpu});
    rates.cpu = *cpu;
    return rates;
  }

  Result<SharingForecast> forecastOf(const JoinArguments& call) const {
    const auto rates = ratesFor(call);
    if (!rates) return tl::unexpected(rates.error());
    const auto points =
        double(call.input.points.size() + (call.input.twoClouds ? call.input.queries.size() : 0));
    SharingForecast forecast{
        .rates = *rates,
        .gpuReadyAt = kGpuIndexSeconds * points,
        .cpuReadyAt = kCpuIndexThreadSeconds * points / threads_,
        .costOfSharing = kSharingSeconds * points,
        .gpuSharedFraction = device_->sharedFraction(call.input.points.dims())};
    // Only then it matters how long the join takes.
    if (!mayPay(*rates)) return forecast;
    const auto sample = sampleOf(call);
    if (!sample) return tl::unexpected(sample.error());
    forecast.work = sampledWork(call.input, call.eps, sample->plan.dims);
    return forecast;
  }

  // By the full pattern, which every strategy's candidates are told by.
  static Result<RateSample> sampleOf(const JoinArguments& call) {
    for (const PointCloud* cloud : {&call.input.points, &call.input.queries})
      for (const auto& column : cloud->columns)
        if (column.size() != cloud->size() || column.empty())
          return badInput("The columns of a cloud have different lengths.");
    Strategy strategy = asJoin(call.strategy);
    if (strategy.order == QueryOrder::Cell) strategy.order = QueryOrder::WorkQueue;
    return sampleJoin(call.input, call.eps, strategy, SinkKind::Counts, kHybridLimits, call.task);
  }

  // The volume model of a join with a reference ε [Gallet 2020, §4.2.2]: both processors are timed
  // there, by the plan's decided strategy. Nothing without such an ε, and where the device fails.
  Result<std::optional<DivisionForecast>> modelFor(const JoinArguments& call,
                                                   const JoinPlan& plan) const {
    const double reference = plan.strategy.referenceEps;
    if (!(reference > 0)) return std::nullopt;
    const double ratio = workloadRatio(reference, call.eps, int(call.input.points.dims()));
    constexpr double kMostRatio = 1e100;
    if (!(ratio > 1 / kMostRatio && ratio < kMostRatio))
      return badCall(
          "The reference ε is too far from ε: times at one do not predict times at the other.");
    JoinArguments there = call;
    there.eps = reference;
    there.strategy = plan.strategy;
    const auto planThere = planned(there);
    if (!planThere) return tl::unexpected(planThere.error());
    Run run(*device_, threads_, there, *planThere, {}, std::nullopt);
    if (auto ready = run.prepare(); !ready) return tl::unexpected(ready.error());
    const auto alone = run.join.secondsAlone();
    if (!alone) return tl::unexpected(alone.error());
    if (!*alone) return std::nullopt;
    return forecastDivision(**alone, reference, ratio);
  }

  void finish(Run& run, RunStats& stats) const {
    stats = std::move(run.stats);
    run.join.addTo(stats);
    for (const SharedPass& pass : stats.passes) stats.batches += pass.batches.size();
    describePlan(run.plan, kHybridLimits.name, stats);
    stats.threads = threads_;
    if (run.plan.strategy.division == Division::Adaptive) stats.strategy += ", division adaptive";
    addNote(stats, run.join.note());
    stats.seconds.join += run.watch.lap();
    stats.seconds.total = stats.seconds.index + stats.seconds.join + stats.seconds.label;
  }

  // Remembers what both sides did in the last pass.
  void learn(const JoinArguments& call, const Run& run) const {
    if (run.stats.passes.empty()) return;
    SideRates rates = ratesOf(run.stats.passes.back(), run.join.queries());
    rates.gpu /= device_->sharedFraction(call.input.points.dims());  // rates are those alone
    rates_->learn(kindOf(call), rates);
  }

  Result<NeighbourCounts> countHere(const JoinArguments& call, const SideRates& expected) const {
    const auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    const auto forecast = modelFor(call, *plan);
    if (!forecast) return tl::unexpected(forecast.error());
    Run run(*device_, threads_, call, *plan, expected, *forecast);
    if (auto ready = run.prepare(); !ready) return tl::unexpected(ready.error());
    if (auto counted = run.count("counting", ~std::uint32_t{0}); !counted)
      return tl::unexpected(counted.error());
    learn(call, run);
    NeighbourCounts result;
    result.counts.resize(call.input.queries.size());
    forEachQuery(run.join.queries(), [&](std::size_t q, std::uint32_t point) {
      result.counts[point] = run.countOfQuery[q];
    });
    result.pairs = run.pairs();
    if (run.join.size() > 0) result.candidates = run.join.queries().candidatesBefore.back();
    finish(run, result.stats);
    return result;
  }

  // Both count, then both fill rows in their places. `bytesMore` is what the caller will need per
  // pair on top of the table itself.
  Result<NeighbourTable> tableHere(const JoinArguments& call, const SideRates& expected,
                                   std::uint64_t bytesMore) const {
    const auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    const auto forecast = modelFor(call, *plan);
    if (!forecast) return tl::unexpected(forecast.error());
    Run run(*device_, threads_, call, *plan, expected, *forecast);
    if (auto ready = run.prepare(); !ready) return tl::unexpected(ready.error());
    if (auto counted = run.count("counting", ~std::uint32_t{0}); !counted)
      return tl::unexpected(counted.error());
    auto table = tableOfCounts(run.join.queries(), run.countOfQuery, call.input.queries.size(),
                               bytesMore, call.task);
    if (!table) return table;
    if (auto filled = run.fill(*table); !filled) return tl::unexpected(filled.error());
    learn(call, run);
    if (run.join.size() > 0) table->candidates = run.join.queries().candidatesBefore.back();
    finish(run, table->stats);
    return table;
  }

  // The core test by both, the rest by the CPU.
  Result<Clustering> dbscanHere(const JoinArguments& call) const {
    const DbscanParams params = call.params();
    if (params.minPts < 1)
      return badCall("minPts must be at least 1, not " + std::to_string(params.minPts) + ".");
    const auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    const PointCloud& cloud = call.input.points;
    const auto forecast = modelFor(call, *plan);
    if (!forecast) return tl::unexpected(forecast.error());
    Run run(*device_, threads_, call, *plan, SideRates{}, *forecast);
    if (auto noise = withoutCorePoints(cloud.size(), params)) {
      finish(run, noise->stats);
      return std::move(*noise);
    }
    if (auto ready = run.prepare(); !ready) return tl::unexpected(ready.error());
    const auto minPts = std::uint32_t(params.minPts);  // at most the points
    const bool stops = plan->strategy.earlyStop == Toggle::On;
    if (auto counted = run.count("core test", stops ? minPts : ~std::uint32_t{0}); !counted)
      return tl::unexpected(counted.error());
    JoinPlan labelling = *plan;
    labelling.strategy.order = QueryOrder::Cell;
    labelling.strategy.batchPairs = 0;
    run.stats.seconds.join = run.watch.lap();
    const auto join = prepareJoin(call.input, params.eps, labelling, call.task);
    if (!join) return tl::unexpected(join.error());
    run.stats.seconds.index += run.watch.lap();
    std::vector<std::uint8_t> coreOfPoint(cloud.size());
    forEachQuery(run.join.queries(), [&](std::size_t q, std::uint32_t point) {
      coreOfPoint[point] = run.countOfQuery[q] >= minPts;
    });
    std::vector<std::uint8_t> core(cloud.size());
    for (std::size_t p = 0; p < core.size(); ++p) core[p] = coreOfPoint[(*join)->pointIds()[p]];
    auto clustering = labelByJoin(**join, params, core, UnionFind(cloud.size()), call.task);
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
  const std::unique_ptr<Backend> cpu_;    // also allows TBB as many threads
  const std::unique_ptr<Backend> alone_;  // the device's own; may be null
  const std::unique_ptr<RateMemory> rates_;
};

}  // namespace

std::unique_ptr<Backend> makeHybridBackend(std::unique_ptr<SharedDevice> device, int threads,
                                           std::unique_ptr<Backend> alone,
                                           std::unique_ptr<RateMemory> rates) {
  return std::make_unique<HybridBackend>(std::move(device), threads, std::move(alone),
                                         std::move(rates));
}

}  // namespace clusterloom
