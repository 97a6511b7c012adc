#include "engine/load/load_model.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/core/stopwatch.h"
#include "engine/join/batch_estimate.h"
#include "engine/join/join_plan.h"
#include "engine/join/join_view.h"
#include "engine/join/lane_program.h"
#include "engine/join/schedule.h"
#include "engine/join/threads_per_point.h"
#include "engine/load/idle_caused.h"
#include "engine/load/load_kernel.h"
#include "engine/load/simt_backend.h"
#include "engine/load/trace_lane.h"
#include "engine/load/trace_layout.h"
#include "engine/load/warp_sample.h"

namespace clusterloom {
namespace {

constexpr double kEstimateCandidates = 2e8;
constexpr std::size_t kAllWarpsUpToPoints = 300'000;
constexpr double kSampledTurns = 4e8;
constexpr std::size_t kFewestSampledWarps = 256;
// Above this many iterations small clouds are sampled too, and fewer warps than usual are traced.
constexpr double kMostTurns = 4e9;
constexpr std::size_t kFewestCostlyWarps = 8;

/// The program of one lane: the distances it decides.
template <class Lane, class Sink>
std::uint64_t ask(Lane& lane, const JoinView& view, std::uint32_t position, std::uint32_t cell,
                  std::uint32_t phase, std::uint32_t stride, Sink& sink) {
  std::uint64_t decided = 0;
  withDims(view.dims, [&]<int D>(Dims<D>) {
    decided = view.pattern == AccessPattern::Tile
                  ? queryByRows<D>(lane, view, position, cell, phase, stride, sink)
                  : queryByCells<D>(lane, view, position, cell, phase, stride, sink);
  });
  return decided;
}

/// How many of `all` warps are traced where `wanted` are (0: as many as take little time).
std::uint32_t sampleSize(std::size_t wanted, std::size_t points, double turns, std::uint32_t all) {
  if (wanted == 0 && (points > kAllWarpsUpToPoints || turns * all > kMostTurns)) {
    const auto fewest =
        std::clamp(std::size_t(kMostTurns / 4 / turns), kFewestCostlyWarps, kFewestSampledWarps);
    wanted = std::max(fewest, std::size_t(kSampledTurns / turns));
  }
  return wanted == 0 || wanted > all ? all : std::uint32_t(wanted);
}

/// When and where the warps of the report run, and when the last one ends.
void placeWarps(const std::vector<WarpRun>& runs, const SimtMachine& machine, LoadReport& report) {
  for (const WarpRun& run : runs) report.makespan = std::max(report.makespan, run.end);
  const auto multiprocessors = std::uint32_t(machine.multiprocessors);
  for (WarpLoad& warp : report.warps) {
    const WarpRun& run = runs[warp.number];
    warp.start = run.start;
    warp.end = run.end;
    warp.multiprocessor = run.slot % multiprocessors;
    warp.slot = run.slot / multiprocessors;
  }
}

}  // namespace

struct LoadModel::State {
  State(JoinPlan joinPlan, GridIndex gridIndex)
      : plan(std::move(joinPlan)), index(std::move(gridIndex)), host(index, plan) {}

  JoinPlan plan;
  SimtMachine machine;
  int threadsPerPoint = 1;
  LoadKernel kernel = LoadKernel::Pairs;
  GridIndex index;
  HostJoinView host;
  std::vector<std::uint32_t> cellOf;     ///< cell of each position
  std::vector<std::uint32_t> directory;  ///< where the tile pattern looks rows up on a GPU
  std::vector<std::uint64_t> workloadOfCell;
  std::uint64_t candidates = 0;  ///< of the full pattern, all queries together
  Schedule schedule;
  std::vector<std::uint32_t> firstWarp;  ///< of each batch, and the end
  std::vector<std::uint32_t> warpOfPoint;
  StageSeconds seconds;

  std::uint32_t lanesPerQuery() const { return std::uint32_t(threadsPerPoint); }
  std::uint32_t queriesPerWarp() const { return 32 / lanesPerQuery(); }
  WarpLoad emptyWarp(std::uint32_t number) const;
  void addDirectory();
  void countWarps();
  double turnsPerWarp() const;
  std::uint32_t sampled(std::size_t ticket) const {
    return schedule.workQueue ? schedule.queries[ticket] : std::uint32_t(ticket);
  }
  std::size_t sampleStep() const;
  Result<std::vector<std::uint32_t>> foundBy(AccessPattern pattern, std::size_t step,
                                             const Task& task) const;
  std::uint32_t seen(Loop loop, std::uint64_t what) const;
  std::span<const std::uint32_t> queriesOf(const WarpLoad& warp) const {
    return std::span(schedule.queries).subspan(warp.firstTicket, warp.tickets);
  }
  void traceLanes(WarpLoad& warp, std::span<const std::uint32_t> queries, AlignedLoops& loops,
                  std::vector<std::uint64_t>& scratch, std::uint64_t& decided, std::uint64_t& pairs,
                  const Task& task) const;
  Result<WarpTrace> trace(const WarpLoad& warp, std::span<const std::uint32_t> queries,
                          const WarpWindow& window, const Task& task) const;
};

// A warp with its number, batch and tickets.
WarpLoad LoadModel::State::emptyWarp(std::uint32_t number) const {
  const auto batch = std::size_t(std::upper_bound(firstWarp.begin(), firstWarp.end(), number) -
                                 firstWarp.begin() - 1);
  const std::size_t first =
      schedule.batchBegin[batch] + std::size_t(number - firstWarp[batch]) * queriesPerWarp();
  const std::size_t tickets =
      std::min<std::size_t>(queriesPerWarp(), schedule.batchBegin[batch + 1] - first);
  return {.number = number,
          .batch = std::uint32_t(batch),
          .firstTicket = std::uint32_t(first),
          .tickets = std::uint32_t(tickets)};
}

void LoadModel::State::addDirectory() {
  directory.resize(directoryEntries(index.geometry, index.size()));
  if (directory.empty()) return;
  std::size_t cell = 0;
  for (std::uint64_t id = 0; id < directory.size(); ++id) {
    while (cell < index.cells() && index.cellIds[cell] < id) ++cell;
    directory[id] = index.cellStart[cell];
  }
  host.view.directory = directory.data();
}

void LoadModel::State::countWarps() {
  firstWarp.assign(1, 0);
  for (std::size_t b = 0; b < schedule.batches(); ++b) {
    const std::size_t queries = schedule.batchBegin[b + 1] - schedule.batchBegin[b];
    const std::size_t warps = (queries + queriesPerWarp() - 1) / queriesPerWarp();
    firstWarp.push_back(firstWarp.back() + std::uint32_t(warps));
  }
  warpOfPoint.resize(index.size());
  parallelFor<std::uint32_t>(firstWarp.back(), 256, [&](std::uint32_t w) {
    const WarpLoad warp = emptyWarp(w);
    for (std::uint32_t i = 0; i < warp.tickets; ++i)
      warpOfPoint[index.pointIds[schedule.queries[warp.firstTicket + i]]] = w;
  });
}

// Approximate cost of tracing a warp: iterations of its lanes, candidates and searches.
double LoadModel::State::turnsPerWarp() const {
  const auto queries = double(index.size());
  const double searches =
      std::pow(3.0, index.geometry.indexedDims()) * double(std::bit_width(index.cells()));
  return queriesPerWarp() * double(candidates) / queries + 32 * searches;
}

// The step between sampled queries: a hundred, and more where the sampled ones have so many
// candidates that tracing them would take long.
std::size_t LoadModel::State::sampleStep() const {
  const std::size_t onePercent = sampledQueries(index.size());
  double examined = 0;
  for (std::size_t i = 0; i < onePercent; ++i)
    examined += double(workloadOfCell[cellOf[sampled(i * kSampledOneIn)]]);
  return kSampledOneIn * std::size_t(std::max(1.0, examined / kEstimateCandidates));
}

// The hits of every step-th query itself, by a pattern, in the order of a work queue, else in cell
// order.
Result<std::vector<std::uint32_t>> LoadModel::State::foundBy(AccessPattern pattern,
                                                             std::size_t step,
                                                             const Task& task) const {
  JoinView view = host.view;
  view.pattern = pattern;
  std::vector<std::uint32_t> found((index.size() + step - 1) / step);
  parallelForBlocks(found.size(), 16, [&](std::size_t begin, std::size_t end) {
    AlignedLoops loops;  // not counted: a traced lane is faster
    std::vector<std::uint64_t> scratch;
    for (std::size_t i = begin; i < end && !task.cancelled(); ++i) {
      const std::uint32_t query = sampled(i * step);
      loops.clear();
      TraceLane lane(loops, scratch, 0, task.stop);
      CountOwn sink{.query = query};
      ask(lane, view, query, cellOf[query], 0, 1, sink);
      found[i] = sink.found;
    }
  });
  if (task.cancelled()) return cancelledError();
  return found;
}

// Runs the lanes of a warp that serves these positions, one after the other.
void LoadModel::State::traceLanes(WarpLoad& warp, std::span<const std::uint32_t> queries,
                                  AlignedLoops& loops, std::vector<std::uint64_t>& scratch,
                                  std::uint64_t& decided, std::uint64_t& pairs,
                                  const Task& task) const {
  loops.clear();
  const std::uint32_t stride = lanesPerQuery();
  const std::uint32_t lanes = std::uint32_t(queries.size()) * stride;
  warp.shortestLane = ~std::uint64_t{0};
  for (std::uint32_t id = 0; id < lanes && !task.cancelled(); ++id) {
    TraceLane lane(loops, scratch, id, task.stop);
    CountPairs sink;
    const std::uint32_t query = queries[id / stride];
    const std::uint64_t examined =
        ask(lane, host.view, query, cellOf[query], id % stride, stride, sink);
    warp.longestLane = std::max(warp.longestLane, examined);
    warp.shortestLane = std::min(warp.shortestLane, examined);
    decided += examined;
    pairs += sink.pairs;
  }
  const WarpSteps steps = loops.steps();
  warp.steps = steps.steps;
  warp.laneSteps = steps.laneSteps;
}

// The data that a lane reads, as a trace names them.
std::uint32_t LoadModel::State::seen(Loop loop, std::uint64_t what) const {
  if (loop == Loop::Candidate || loop == Loop::Hit) return index.pointIds[what];
  if (loop == Loop::Search) return std::uint32_t(what);
  const std::size_t cell = index.firstCellFrom(what);
  return cell < index.cells() && index.cellIds[cell] == what ? std::uint32_t(cell)
                                                             : WarpTrace::kNothing;
}

Result<LoadModel> LoadModel::make(const PointCloud& cloud, double eps, const Strategy& strategy,
                                  LoadKernel kernel, const SimtMachine& machine, const Task& task,
                                  std::optional<int> threadsPerPoint) {
  if (strategy.method != Method::Grid)
    return badCall("The model knows the warps of the grid's joins only; choose the method grid.");
  Stopwatch watch;
  auto plan =
      planJoin(cloud, eps, withBatchesOf(kernel, strategy), sinkOf(kernel), kSimtLimits, task);
  if (!plan) return tl::unexpected(plan.error());
  task.report("index", 0);
  auto index = buildGridIndex(
      cloud, {.eps = eps, .reach = 1, .dims = plan->dims, .sortWithinCells = plan->sortWithinCells},
      task);
  if (!index) return tl::unexpected(index.error());

  const auto state = std::make_shared<State>(std::move(*plan), std::move(*index));
  const Strategy& decided = state->plan.strategy;
  state->kernel = kernel;
  state->machine = machine;
  state->cellOf = state->index.cellOfPosition();
  if (decided.pattern == AccessPattern::Tile) state->addDirectory();
  state->seconds.index = watch.lap();
  task.report("schedule", 0);
  const std::vector<std::uint64_t>& cells = state->index.cellIds;
  std::vector<std::uint64_t> candidatesOfCell =
      cellWorkloads(state->index, cells, AccessPattern::Full, task);
  for (std::size_t c = 0; c < state->index.cells(); ++c)
    state->candidates +=
        candidatesOfCell[c] * (state->index.cellStart[c + 1] - state->index.cellStart[c]);
  state->workloadOfCell = isHalf(decided.pattern)
                              ? cellWorkloads(state->index, cells, decided.pattern, task)
                              : std::move(candidatesOfCell);
  if (task.cancelled()) return cancelledError();
  const auto schedule = [&](std::size_t batches) {
    return makeSchedule(cloud, ownQueries(state->index), state->index.geometry.dims,
                        state->workloadOfCell, decided.order, batches, task);
  };
  const bool workQueue = decided.order == QueryOrder::WorkQueue;
  if (workQueue) state->schedule = schedule(1);
  if (task.cancelled()) return cancelledError();
  std::size_t batches = 1;
  if (decided.batchPairs > 0) {
    const std::size_t step = state->sampleStep();
    // A whole pattern: the sum must not depend on which end of a pair was sampled.
    const bool tile = decided.pattern == AccessPattern::Tile;
    auto found = state->foundBy(tile ? AccessPattern::Tile : AccessPattern::Full, step, task);
    if (!found) return tl::unexpected(found.error());
    const double pairs =
        estimatedPairs(std::accumulate(found->begin(), found->end(), std::uint64_t{0}),
                       found->size(), cloud.size());
    batches = batchesFor(pairs, decided.batchPairs, cloud.size());
    if (workQueue) {
      if (isHalf(decided.pattern)) found = state->foundBy(decided.pattern, step, task);
      if (!found) return tl::unexpected(found.error());
      state->schedule.batchBegin = equalBatches(*found, step, cloud.size(), batches);
    }
  }
  if (!workQueue) state->schedule = schedule(batches);
  if (task.cancelled()) return cancelledError();
  state->threadsPerPoint = threadsPerPoint
                               ? *threadsPerPoint
                               : threadsPerPointOnGpu(decided, cloud.size() / batches,
                                                      32 * std::size_t(machine.warpSlots()));
  state->countWarps();
  state->seconds.join = watch.lap();
  return LoadModel(state);
}

std::uint32_t LoadModel::warps() const { return state_->firstWarp.back(); }
const std::vector<std::uint64_t>& LoadModel::workloadOfCell() const {
  return state_->workloadOfCell;
}
const GridIndex& LoadModel::index() const { return state_->index; }
const Strategy& LoadModel::strategy() const { return state_->plan.strategy; }

std::uint32_t LoadModel::warpOfPoint(std::uint32_t point) const {
  return state_->warpOfPoint[point];
}

Result<LoadReport> LoadModel::report(const LoadRequest& request, const LoopWeights& weights,
                                     const Task& task) const {
  const State& s = *state_;
  Stopwatch watch;
  const std::uint32_t all = warps();
  const std::uint32_t count =
      sampleSize(request.sampleWarps, s.index.size(), s.turnsPerWarp(), all);
  const std::vector<std::uint32_t> strata = strataOf(all, count);
  const std::vector<std::uint32_t> sample = sampleWarps(all, count, request.seed);

  LoadReport report;
  report.kernel = s.kernel;
  report.weights = weights;
  report.warps.resize(count);
  std::vector<std::uint64_t> decided(count);
  std::vector<std::uint64_t> pairs(count);
  SharedProgress progress(task, "tracing warps", count);
  report.idleCausedByTicket.resize(s.index.size(), std::numeric_limits<float>::quiet_NaN());
  parallelForBlocks<std::uint32_t>(count, 1, [&](std::uint32_t begin, std::uint32_t end) {
    AlignedLoops loops;
    std::vector<std::uint64_t> scratch;
    for (std::uint32_t i = begin; i < end && !task.cancelled(); ++i) {
      const WarpLoad& warp = report.warps[i] = s.emptyWarp(sample[i]);
      s.traceLanes(report.warps[i], s.queriesOf(warp), loops, scratch, decided[i], pairs[i], task);
      const SharedSteps shared = sharedStepsOf(loops);
      for (std::uint32_t t = 0; t < warp.tickets; ++t) {
        double idle = 0;
        for (std::uint32_t id = t * s.lanesPerQuery(); id < (t + 1) * s.lanesPerQuery(); ++id)
          idle += idleCaused(shared, id, weights);
        report.idleCausedByTicket[warp.firstTicket + t] = float(idle);
      }
      progress.add(1);
    }
  });
  if (task.cancelled()) return cancelledError();

  std::vector<double> active(count);
  std::vector<double> slots(count);
  std::vector<double> durations(all);
  std::vector<double> distances(count);
  std::vector<double> found(count);
  double work = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const WarpLoad& warp = report.warps[i];
    double duration = 0;
    for (std::size_t loop = 0; loop < kLoops; ++loop) {
      report.steps[loop] += warp.steps[loop];
      report.laneSteps[loop] += warp.laneSteps[loop];
      duration += weights.of[loop] * double(warp.steps[loop]);
      active[i] += weights.of[loop] * double(warp.laneSteps[loop]);
    }
    slots[i] = 32 * duration;
    std::fill(durations.begin() + strata[i], durations.begin() + strata[i + 1], duration);
    const double stands = strata[i + 1] - strata[i];
    distances[i] = stands * double(decided[i]);
    found[i] = stands * double(pairs[i]);
    work += stands * duration;
  }
  const Ratio wee = ratioOf(active, slots, all);
  report.wee = wee.value;
  report.weeError = wee.error;

  SimtMachine as = s.machine;
  if (s.plan.strategy.streams > 0) as.streams = s.plan.strategy.streams;
  placeWarps(scheduleWarps(durations, s.firstWarp, as), as, report);
  report.idealMakespan = work / as.warpSlots();

  report.allWarps = all;
  report.pointOfTicket.resize(s.index.size());
  for (std::size_t t = 0; t < s.index.size(); ++t)
    report.pointOfTicket[t] = s.index.pointIds[s.schedule.queries[t]];
  report.batchBegin = s.schedule.batchBegin;
  report.threadsPerPoint = s.threadsPerPoint;
  report.machine = nameOf(as);
  report.multiprocessors = as.multiprocessors;
  report.warpsPerMultiprocessor = as.warpsPerMultiprocessor;
  report.streams = as.streams;
  report.clockGHz = as.clockGHz;
  report.candidates = s.candidates;
  const auto sumOf = [](const std::vector<double>& estimates) {
    return std::uint64_t(std::llround(std::accumulate(estimates.begin(), estimates.end(), 0.0)));
  };
  report.distanceCalculations = sumOf(distances);
  report.distancesError = errorOfSum(distances, all);
  report.pairs = sumOf(found);
  report.pairsError = errorOfSum(found, all);
  RunStats& stats = report.stats;
  stats.backend = kSimtLimits.name;
  stats.threads = tbb::this_task_arena::max_concurrency();
  stats.strategy = describe(s.plan.strategy);
  stats.indexedDims = s.plan.strategy.indexedDims;
  stats.cells = s.index.cells();
  stats.batches = s.schedule.batches();
  stats.distanceCalculations = report.distanceCalculations;
  stats.seconds.index = s.seconds.index;
  stats.seconds.join = s.seconds.join + watch.lap();
  stats.seconds.total = stats.seconds.index + stats.seconds.join;
  addNote(stats, threadsNote(s.plan.strategy, s.threadsPerPoint));
  return report;
}

Result<WarpTrace> LoadModel::trace(std::uint32_t number, const WarpWindow& window,
                                   const Task& task) const {
  const State& s = *state_;
  if (number >= warps())
    return badCall("There is no warp " + std::to_string(number) + "; the join has " +
                   std::to_string(warps()) + ".");
  const WarpLoad warp = s.emptyWarp(number);
  return s.trace(warp, s.queriesOf(warp), window, task);
}

Result<WarpTrace> LoadModel::traceOf(std::span<const std::uint32_t> points,
                                     const WarpWindow& window, const Task& task) const {
  const State& s = *state_;
  if (points.size() > s.queriesPerWarp())
    return badCall("A warp serves " + std::to_string(s.queriesPerWarp()) + " points here, not " +
                   std::to_string(points.size()) + ".");
  std::vector<std::uint32_t> queries;
  for (const std::uint32_t point : points) {
    const auto& ids = s.index.pointIds;
    const auto at = std::find(ids.begin(), ids.end(), point);
    if (at == ids.end()) return badCall("There is no point " + std::to_string(point) + ".");
    queries.push_back(std::uint32_t(at - ids.begin()));
  }
  return s.trace({.tickets = std::uint32_t(points.size())}, queries, window, task);
}

Result<WarpTrace> LoadModel::State::trace(const WarpLoad& warp,
                                          std::span<const std::uint32_t> queries,
                                          const WarpWindow& window, const Task& task) const {
  AlignedLoops loops;
  std::vector<std::uint64_t> scratch;
  std::uint64_t decided = 0;
  std::uint64_t pairs = 0;
  WarpTrace trace;
  trace.load = warp;
  trace.machine = machine;
  traceLanes(trace.load, queries, loops, scratch, decided, pairs, task);
  if (task.cancelled()) return cancelledError();
  const TraceLayout layout(loops);
  trace.allSteps = layout.allSteps();
  trace.firstStep = std::min(window.firstStep, trace.allSteps);
  const auto steps =
      std::size_t(std::min<std::uint64_t>(window.mostSteps, trace.allSteps - trace.firstStep));
  trace.loopOfStep.resize(steps);
  trace.activeOfStep.resize(steps);
  trace.looksAt.resize(steps * WarpTrace::kLanes, WarpTrace::kNothing);
  trace.queryPoint.fill(WarpTrace::kNothing);
  trace.queryCell.fill(WarpTrace::kNothing);

  const std::uint32_t stride = lanesPerQuery();
  for (std::uint32_t id = 0; id < queries.size() * stride && !task.cancelled(); ++id) {
    const std::uint32_t query = queries[id / stride];
    trace.queryPoint[id] = index.pointIds[query];
    trace.queryCell[id] = cellOf[query];
    const auto see = [&](std::uint64_t step, Loop loop, std::uint64_t what) {
      if (step < trace.firstStep || step - trace.firstStep >= steps) return;
      const auto at = std::size_t(step - trace.firstStep);
      trace.loopOfStep[at] = loop;
      trace.activeOfStep[at] |= 1U << id;
      trace.looksAt[at * WarpTrace::kLanes + id] = seen(loop, what);
    };
    SteppingLane lane(TraceLane(loops, scratch, id, task.stop), layout, see);
    CountPairs sink;
    ask(lane, host.view, query, cellOf[query], id % stride, stride, sink);
  }
  if (task.cancelled()) return cancelledError();
  return trace;
}

Result<LoadReport> modelLoad(const PointCloud& cloud, double eps, const Strategy& strategy,
                             const LoadRequest& request, const SimtMachine& machine,
                             const LoopWeights& weights, const Task& task) {
  const auto model = LoadModel::make(cloud, eps, strategy, request.kernel, machine, task);
  if (!model) return tl::unexpected(model.error());
  return model->report(request, weights, task);
}

Result<LoadReport> modelLoad(const PointCloud& cloud, double eps, const Strategy& strategy,
                             const LoadRequest& request, const Task& task) {
  return modelLoad(cloud, eps, strategy, request, request.machine,
                   weightsOn(request.machine, request.kernel), task);
}

}  // namespace clusterloom
