#include "engine/cpu/cpu_backend.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <numeric>
#include <optional>

#include "engine/core/in_arena.h"
#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/touched_memory.h"
#include "engine/core/translatable.h"
#include "engine/cpu/brute_force.h"
#include "engine/cpu/cpu_join.h"
#include "engine/cpu/fused_dbscan.h"
#include "engine/cpu/join_dbscan.h"
#include "engine/cpu/methods.h"
#include "engine/cpu/prepared_join.h"
#include "engine/dbscan/labelling.h"
#include "engine/grid/occupancy.h"
#include "engine/join/distance_bins.h"
#include "engine/join/pairs_of_table.h"
#include "engine/join/sort_rows.h"
#include "engine/join/whole_cells.h"
#include "engine/joins_by.h"
#include "engine/load/load_model.h"

namespace clusterloom {
namespace {

constexpr BackendLimits kLimits{.name = "cpu",
                                .singlePrecision = true,
                                .twoClouds = true,
                                .cpuMethods = true,
                                .choosesProducts = true,
                                .manyDims = true,
                                .products = true,
                                .bruteForceManyDims = true};
constexpr std::uint32_t kAll = ~std::uint32_t{0};  // as `enough`: count every neighbour

// Sub-cells of side ε/2 are tight up to 4 dimensions (diagonal ε·√n/2 ≤ ε). They pay where they
// hold some points each; in sparse clouds the wider window costs more than it saves (measured:
// break-even between 1.4 and 2.1 points a cell in two and three dimensions). One dimension needs
// none: cells of side ε are tight already. They also pay where few cells hold most of the points,
// however sparse the others are: cells that are not tight cost the square of their points.
constexpr double kManyCompanions = 100;

Result<CellGeometry> fusedGeometry(const JoinInput& input, double eps, const JoinPlan& plan,
                                   const Task& task) {
  const PointCloud& cloud = input.points;
  const std::size_t n = cloud.dims();
  const Bounds bounds = boundsOf(input);
  Stretches stretches = stretchesOf(cloud, eps, task);
  if (n >= 2 && n <= 4 && plan.dims.size() == n) {
    auto subCells = makeCellGeometry(stretches, bounds, eps, 2, plan.dims, task);
    if (!subCells || estimatedPointsPerCell(cloud, *subCells) >= 1.7 ||
        estimatedCompanions(cloud, *subCells) >= kManyCompanions)
      return subCells;
  }
  return makeCellGeometry(stretches, bounds, eps, 1, plan.dims, task);
}

Result<NeighbourTable> bruteForceTable(const JoinInput& input, double eps, const Task& task) {
  auto list = bruteForcePairs(input, eps, task);
  if (!list) return tl::unexpected(list.error());
  NeighbourTable table;
  table.candidates = list->candidates;
  table.stats = std::move(list->stats);
  table.offsets.assign(input.queries.size() + 1, 0);
  table.ids.reserve(list->pairs.size());
  for (const Pair& pair : list->pairs) {
    ++table.offsets[std::size_t(pair.p) + 1];
    table.ids.push_back(pair.q);
  }
  for (std::size_t p = 0; p < input.queries.size(); ++p) table.offsets[p + 1] += table.offsets[p];
  return table;
}

class CpuBackend final : public JoinsBy<CpuBackend> {
 public:
  explicit CpuBackend(int threads)
      : threads_(threads > 0 ? threads : tbb::info::default_concurrency()) {
    // The caller may request more threads than the machine has; TBB must be configured for that.
    if (threads_ > tbb::info::default_concurrency())
      moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(threads_));
  }

  std::string_view name() const override { return kLimits.name; }
  BackendLimits limits() const override { return kLimits; }
  std::string describe() const override {
    return "CPU, " +
           withValue(threads_ == 1 ? translatable("%1 thread") : translatable("%1 threads"),
                     std::to_string(threads_));
  }

  Result<std::shared_ptr<const Backend>> withMetric(Metric metric) const override {
    return makeTreeBackend(threads_, metric);
  }

  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    return inArena(threads_, [&] { return here(call); });
  }
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    return inArena(threads_, [&] { return modelLoad(cloud, eps, strategy, request, task); });
  }

 private:
  // The reference's result as a result of this backend.
  template <class T>
  Result<T> asReference(const Strategy& strategy, Result<T> answer) const {
    if (answer) {
      answer->stats.backend = kLimits.name;
      answer->stats.strategy = clusterloom::describe(strategy);
    }
    return answer;
  }

  // The method of trees, whose runs are those of a backend.
  template <class T>
  Result<T> byTree(JoinCall<T> call, const JoinPlan& plan) const {
    call.strategy = {};
    Result<T> answer = call.on(*makeTreeBackend(threads_, Metric::Euclidean));
    if (answer) fillStats(answer->stats, plan);
    return answer;
  }

  void fillStats(RunStats& stats, const JoinPlan& plan) const {
    describePlan(plan, kLimits.name, stats);
    stats.threads = threads_;
    stats.seconds.total = stats.seconds.index + stats.seconds.join + stats.seconds.label;
  }

  Result<NeighbourCounts> here(const JoinCall<NeighbourCounts>& call) const {
    const JoinInput& input = call.input;
    const Task& task = call.task;
    Stopwatch watch;
    auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    if (call.strategy.method == Method::BruteForce)
      return asReference(call.strategy, bruteForceCounts(input, call.eps, task));
    if (plan->strategy.method == Method::KdTree) {
      auto counts = byTree(call, *plan);
      if (counts || !isReplaced(call.strategy, counts.error())) return counts;
      plan = planWithoutTree(call);
      if (!plan) return tl::unexpected(plan.error());
    }
    const auto join = prepareJoin(input, call.eps, *plan, task);
    if (!join) return tl::unexpected(join.error());
    NeighbourCounts result;
    result.stats.seconds.index = watch.lap();
    const QueryPositions queries = (*join)->queries();
    std::vector<std::uint32_t> counts(queries.end(), 0);
    const auto counted = (*join)->count("counting", counts, kAll, task);
    if (!counted) return tl::unexpected(counted.error());
    result.counts = byPoint(counts, queries, input.queries.size(), std::uint32_t{0});
    result.pairs = std::accumulate(result.counts.begin(), result.counts.end(), std::uint64_t{0});
    const auto candidates = (*join)->candidates(*counted, task);
    if (!candidates) return tl::unexpected(candidates.error());
    result.candidates = *candidates;
    result.stats.distanceCalculations = counted->calculations;
    result.stats.seconds.join = watch.lap();
    result.stats.phases = {{"counting", result.stats.seconds.join, counted->calculations}};
    (*join)->addStats(result.stats);
    fillStats(result.stats, *plan);
    return result;
  }

  Result<NeighbourTable> here(const JoinCall<NeighbourTable>& call) const {
    const auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    if (call.strategy.method == Method::BruteForce)
      return asReference(call.strategy, bruteForceTable(call.input, call.eps, call.task));
    if (call.strategy.method == Method::KdTree) return byTree(call, *plan);
    return tableHere(call, *plan, 0);
  }

  // Count, scan, fill through row cursors, sort the rows. `bytesMore` is what the caller will need
  // per pair on top of the table itself.
  Result<NeighbourTable> tableHere(const JoinArguments& call, const JoinPlan& plan,
                                   std::uint64_t bytesMore) const {
    const Task& task = call.task;
    Stopwatch watch;
    const auto join = prepareJoin(call.input, call.eps, plan, task);
    if (!join) return tl::unexpected(join.error());
    const QueryPositions queries = (*join)->queries();
    NeighbourTable table;
    table.stats.seconds.index = watch.lap();

    const std::uint64_t bytesPerPair = sizeof(std::int32_t) + bytesMore;
    if (auto fits = (*join)->checkPairsFit(bytesPerPair, task); !fits)
      return tl::unexpected(fits.error());
    const std::size_t n = call.input.queries.size();
    std::vector<std::uint32_t> counts(queries.end(), 0);
    const auto counted = (*join)->countToFill("counting", counts, task);
    if (!counted) return tl::unexpected(counted.error());
    table.offsets.assign(n + 1, 0);
    for (std::size_t i = 0; i < queries.pointIds.size(); ++i)
      table.offsets[queries.pointIds[i] + 1] = counts[queries.first + i];
    for (std::size_t i = 0; i < n; ++i) table.offsets[i + 1] += table.offsets[i];
    const auto candidates = (*join)->candidates(*counted, task);
    if (!candidates) return tl::unexpected(candidates.error());
    table.candidates = *candidates;
    const auto endPhase = [&](const char* name, std::uint64_t calculations) {
      const double seconds = watch.lap();
      table.stats.phases.push_back({name, seconds, calculations});
      table.stats.seconds.join += seconds;
    };
    endPhase("counting", counted->calculations);
    const std::uint64_t pairs = table.offsets.back();
    if (auto fits = checkTableFits(pairs, pairs * bytesPerPair); !fits)
      return tl::unexpected(fits.error());
    if (!resizeAndTouch(table.ids, pairs, "reserving memory", task)) return cancelledError();
    std::vector<std::uint64_t> cursors(queries.end());
    for (std::size_t i = 0; i < queries.pointIds.size(); ++i)
      cursors[queries.first + i] = table.offsets[queries.pointIds[i]];
    const auto filled = (*join)->fill(cursors, table.ids, task);
    if (!filled) return tl::unexpected(filled.error());
    endPhase("filling", filled->calculations);
    if (!sortRows(table, task)) return cancelledError();
    endPhase("sorting", 0);
    table.stats.distanceCalculations = counted->calculations + filled->calculations;
    (*join)->addStats(table.stats);
    fillStats(table.stats, plan);
    return table;
  }

  Result<PairList> here(const JoinCall<PairList>& call) const {
    const auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    if (call.strategy.method == Method::BruteForce)
      return asReference(call.strategy, bruteForcePairs(call.input, call.eps, call.task));
    if (call.strategy.method == Method::KdTree) return byTree(call, *plan);
    return pairsOfTable(tableHere(call, *plan, sizeof(Pair)), call.task);
  }

  Result<DistanceHistogram> here(const JoinCall<DistanceHistogram>& call) const {
    const Task& task = call.task;
    const auto edges = makeDistanceBins(call.eps, call.bins);
    if (!edges) return tl::unexpected(edges.error());
    const auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    Stopwatch watch;
    if (plan->strategy.method == Method::Products) {
      auto result = productHistogram(call.input, call.eps, *plan, *edges, task);
      if (result) fillStats(result->stats, *plan);
      return result;
    }
    const auto join = prepareCpuJoin(call.input, call.eps, *plan, task);
    if (!join) return tl::unexpected(join.error());
    DistanceHistogram result;
    result.upper = edges->upper;
    result.stats.seconds.index = watch.lap();
    using Sink = LaneHistogramSink<SerialLane>;
    const auto size = std::uint32_t(edges->squared.size());
    std::vector<std::uint64_t> copies(std::size_t{Sink::kCopies} * size, 0);
    // As in countNeighbours.
    const bool tile = plan->strategy.pattern == AccessPattern::Tile && (*join)->view().sortedBy < 0;
    WholeCells whole;
    if (tile) whole = decideWholeCells((*join)->index, (*join)->queries, edges->squared, task);
    if (task.cancelled()) return cancelledError();
    const auto counted = runCpuJoin(
        **join, "counting", task,
        [&] {
          return histogramSink<SerialLane>((*join)->view(), edges->squared.data(), size,
                                           copies.data());
        },
        [&](std::uint32_t query) { return !tile || !whole.decided[(*join)->queryCellOf(query)]; });
    if (!counted) return tl::unexpected(counted.error());
    result.pairs = sumOfCopies(copies, size);
    for (std::size_t bin = 0; bin < whole.pairs.size(); ++bin)
      result.pairs[bin] += whole.pairs[bin];
    result.stats.distanceCalculations = *counted + whole.distances;
    result.stats.seconds.join = watch.lap();
    result.stats.cells = (*join)->index.cells();
    result.stats.batches = (*join)->schedule.batches();
    fillStats(result.stats, *plan);
    return result;
  }

  Result<LowestLabels> here(JoinCall<LowestLabels> call) const {
    call.input.twoClouds = true;
    const JoinInput& input = call.input;
    const std::span<const std::int32_t> given = call.labels;
    const Task& task = call.task;
    Stopwatch watch;
    auto plan = planned(call);
    if (!plan) return tl::unexpected(plan.error());
    if (auto fits = checkLabels(input, given); !fits) return tl::unexpected(fits.error());
    if (call.strategy.method == Method::BruteForce)
      return asReference(call.strategy, bruteForceLowestLabels(input, given, call.eps, task));
    if (plan->strategy.method == Method::KdTree) {
      auto labels = byTree(call, *plan);
      if (labels || !isReplaced(call.strategy, labels.error())) return labels;
      plan = planWithoutTree(call);
      if (!plan) return tl::unexpected(plan.error());
    }
    const auto join = prepareJoin(input, call.eps, *plan, task);
    if (!join) return tl::unexpected(join.error());
    LowestLabels result;
    result.stats.seconds.index = watch.lap();
    // Labelled points stand for core points, the queries for the others.
    const QueryPositions queries = (*join)->queries();
    const std::vector<std::uint32_t>& pointIds = (*join)->pointIds();
    std::vector<std::int32_t> labels(queries.end(), kNoise);
    std::vector<std::uint8_t> labelled(queries.end(), 0);
    for (std::size_t p = 0; p < pointIds.size(); ++p) {
      labels[p] = given[pointIds[p]];
      labelled[p] = labels[p] >= 0;
    }
    const auto placed = (*join)->placeBorders(labels, labelled, task);
    if (!placed) return tl::unexpected(placed.error());
    result.labels = byPoint(labels, queries, input.queries.size(), kNoise);
    result.stats.distanceCalculations = placed->calculations;
    result.stats.seconds.join = watch.lap();
    (*join)->addStats(result.stats);
    fillStats(result.stats, *plan);
    return result;
  }

  Result<Clustering> here(const JoinCall<Clustering>& call) const {
    const auto& input = call.input;
    const Strategy& strategy = call.strategy;
    const DbscanParams params = call.params();
    const Task& task = call.task;
    if (params.minPts < 1)
      return badCall("minPts must be at least 1, not " + std::to_string(params.minPts) + ".");
    // A core test by the grid compares up to minPts points, one by one.
    JoinArguments wanted = call;
    if (strategy == Strategy{} && isQuickByTree(input.points.dims(), double(params.minPts)))
      wanted.strategy.method = Method::KdTree;
    auto plan = planned(wanted);
    if (!plan) return tl::unexpected(plan.error());
    if (strategy.method == Method::BruteForce)
      return asReference(strategy, bruteForceDbscan(input.points, params, task));
    if (auto noise = withoutCorePoints(input.points.size(), params)) {
      fillStats(noise->stats, *plan);
      return std::move(*noise);
    }
    if (plan->strategy.method == Method::KdTree) {
      auto clustering = byTree(call, *plan);
      if (clustering || !isReplaced(strategy, clustering.error())) return clustering;
      plan = planWithoutTree(call);
      if (!plan) return tl::unexpected(plan.error());
    }
    auto clustering = plan->strategy.denseCells == Toggle::On
                          ? fusedHere(input, params, *plan, task)
                          : joinDbscan(input.points, params, *plan, task);
    if (clustering) fillStats(clustering->stats, *plan);
    return clustering;
  }

  /// Whether another method takes the place of a tree of points that failed: one that the engine
  /// has chosen and that needs too much memory.
  static bool isReplaced(const Strategy& asked, const Error& error) {
    return asked.method != Method::KdTree && error.kind == ErrorKind::TooLarge;
  }
  static Result<JoinPlan> planWithoutTree(const JoinArguments& call) {
    BackendLimits limits = kLimits;
    limits.cpuMethods = false;
    return planned(call, limits);
  }
  static Result<JoinPlan> planned(const JoinArguments& call,
                                  const BackendLimits& limits = kLimits) {
    return planJoin(call.input, call.eps, call.strategy, call.sink, limits, call.task);
  }

  static Result<Clustering> fusedHere(const JoinInput& input, const DbscanParams& params,
                                      const JoinPlan& plan, const Task& task) {
    auto geometry = fusedGeometry(input, params.eps, plan, task);
    if (!geometry) return tl::unexpected(geometry.error());
    const FusedPlan fused{.squaredEps = plan.squaredEps,
                          .geometry = std::move(*geometry),
                          .earlyStop = plan.strategy.earlyStop == Toggle::On};
    return fusedDbscan(input.points, params, fused, task);
  }

  int threads_;
  std::optional<tbb::global_control> moreThreads_;
};

}  // namespace

std::unique_ptr<Backend> makeCpuBackend(int threads) {
  return std::make_unique<CpuBackend>(threads);
}

}  // namespace clusterloom
