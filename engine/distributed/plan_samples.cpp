#include "engine/distributed/plan_samples.h"

#include <algorithm>
#include <limits>

#include "engine/core/stopwatch.h"
#include "engine/distributed/ring_join.h"
#include "engine/distributed/selection.h"
#include "engine/grid/grid_index.h"
#include "engine/join/join_plan.h"
#include "engine/join/schedule.h"

namespace clusterloom {
namespace {

// Candidates of the first timed join: a tenth of a second on one core.
constexpr double kTimedCandidates = 1e8;
// The time of a shorter join is mostly the cost of starting it.
constexpr double kTimedSeconds = 0.05;
constexpr std::uint64_t kMoreQueries = 8;
// A GPU is filled when kMoreQueries times the queries raise its rate by no more than this.
constexpr double kSameRate = 1.15;
constexpr double kLongEnough = 1;
constexpr std::uint64_t kLeastTimedQueries = 2000;
constexpr int kTimedJoins = 3;
constexpr double kLongestOwnWay = 2;  // seconds
constexpr int kTimedOwnWays = 2;
constexpr int kTimedDeals = 2;

// Candidates of the queries first, first + step, … of the cloud.
Result<std::vector<std::uint64_t>> candidatesOf(const GridIndex& index, std::uint64_t step,
                                                const Task& task) {
  const QueryCells cells = ownQueries(index);
  const std::vector<std::uint64_t> ofCell =
      cellWorkloads(index, cells.ids, AccessPattern::Full, task);
  if (task.cancelled()) return cancelledError();
  std::vector<std::uint64_t> candidates((index.size() + step - 1) / step);
  for (std::size_t c = 0; c < cells.cells(); ++c)
    for (std::uint32_t p = cells.start[c]; p < cells.start[c + 1]; ++p)
      if (cells.pointIds[p] % step == 0) candidates[cells.pointIds[p] / step] = ofCell[c];
  return candidates;
}

}  // namespace

Result<SampledJoin> sampleJoin(const Backend& backend, const PointCloud& cloud, double eps,
                               const Strategy& strategy, const Task& task) {
  BackendLimits limits = backend.limits();
  limits.choosesProducts = false;  // the forecast is of the grid
  if (cloud.dims() > kMaxGridDims)
    return badCall("A plan is for joins by the grid, which takes at most " +
                   std::to_string(kMaxGridDims) + " dimensions; this cloud has " +
                   std::to_string(cloud.dims()) + ".");
  const auto plan =
      planJoin(JoinInput(cloud, cloud), eps, strategy, SinkKind::Counts, limits, task);
  if (!plan) return tl::unexpected(plan.error());
  if (plan->strategy.method != Method::Grid)
    return badCall("A plan is for joins by the grid; choose the method grid.");
  const Stopwatch choosing;
  if (auto own = planJoin(cloud, eps, strategy, SinkKind::Counts, limits, task); !own)
    return tl::unexpected(own.error());
  const double choice = choosing.seconds();
  task.report("sampling the workload", 0);
  const auto index = buildGridIndex(cloud, {.eps = eps, .dims = plan->dims}, task);
  if (!index) return tl::unexpected(index.error());
  auto candidates = candidatesOf(*index, (cloud.size() + kPlanSample - 1) / kPlanSample, task);
  if (!candidates) return tl::unexpected(candidates.error());
  return SampledJoin{
      {.points = cloud.size(), .dims = cloud.dims(), .candidates = std::move(*candidates)},
      plan->strategy,
      choice};
}

Result<RankSpeeds> measureSpeeds(const Backend& backend, const PointCloud& cloud, double eps,
                                 const SampledJoin& join, std::uint64_t parts, const Task& task) {
  parts = std::min<std::uint64_t>(parts, cloud.size());
  const PointCloud part = selectionOf(cloud, 0, parts);
  const double perQuery = std::max(1.0, join.workload.mean() / double(parts));
  const auto wanted =
      std::uint64_t(std::max(double(kLeastTimedQueries), kTimedCandidates / perQuery));
  const bool onGpu = !backend.devices().empty();
  RankSpeeds best;
  for (std::uint64_t step = (part.size() + wanted - 1) / wanted;; step /= kMoreQueries) {
    step = std::max<std::uint64_t>(1, step);
    // Of another part where there is one.
    const PointCloud queries = selectionOf(cloud, parts > 1 ? 1 : 0, parts * step);
    double shortest = std::numeric_limits<double>::infinity();
    double joined = 0;  // seconds of the shortest one's join
    std::vector<std::uint64_t> sums(queries.size());
    const double before = best.candidates;
    best = {};
    for (int run = 0; run < kTimedJoins; ++run) {
      const Stopwatch watch;
      const auto counted = backend.count(JoinInput(queries, part), eps, join.strategy, task);
      if (!counted) return tl::unexpected(counted.error());
      addCounts(sums, counted->counts);
      const double whole = watch.seconds();
      if (whole >= shortest) continue;
      shortest = whole;
      constexpr double kTick = 1e-9;
      const StageSeconds& seconds = counted->stats.seconds;
      joined = seconds.join;
      // At least one: queries far from the part have no candidates, and take their time.
      const auto candidates = double(std::max<std::uint64_t>(1, counted->candidates));
      // Checks, memory and sums are of both sides; a round has as many queries as the part.
      const double ofRound = 2 * double(part.size()) / double(part.size() + queries.size());
      best = {
          .candidates = candidates / std::max(kTick, seconds.join),
          .indexedPoints = double(part.size() + queries.size()) / std::max(kTick, seconds.index),
          .beside = ofRound * std::max(0.0, whole - seconds.index - seconds.join)};
    }
    const bool filled = !onGpu || best.candidates < kSameRate * before || joined > kLongEnough;
    const bool affordable = onGpu && joined * kMoreQueries <= kLongestOwnWay;
    if (step == 1 || (joined >= kTimedSeconds && filled && !affordable)) break;
  }
  return best;
}

Result<double> timeRingChoice(const Backend& backend, const PointCloud& cloud, double eps,
                              const Strategy& strategy, std::uint64_t ranks, const Task& task) {
  const PointCloud part = selectionOf(cloud, 0, std::min<std::uint64_t>(ranks, cloud.size()));
  const Stopwatch watch;
  const auto plan =
      planJoin(JoinInput(part, part), eps, strategy, SinkKind::Counts, backend.limits(), task);
  if (!plan) return tl::unexpected(plan.error());
  return watch.seconds();
}

Result<std::optional<DealtJoin>> timeDeal(const Backend& dealt, const PointCloud& cloud, double eps,
                                          const Strategy& strategy, const Task& task) {
  std::optional<DealtJoin> best;
  for (int run = 0; run < kTimedDeals; ++run) {
    const Stopwatch watch;
    const auto counted = dealt.count(cloud, eps, strategy, task);
    if (task.cancelled()) return cancelledError();
    if (!counted || counted->stats.ranks.size() != 1) return std::nullopt;
    const double whole = watch.seconds();
    const double sets = std::min(whole, counted->stats.ranks.front().join);
    if (!best || whole < best->sets + best->beside)
      best = DealtJoin{.sets = sets, .beside = whole - sets};
  }
  return best;
}

Result<std::optional<RankSpeeds>> measureOwnWay(const Backend& backend, const PointCloud& cloud,
                                                double eps, const Strategy& strategy,
                                                const PlanWorkload& workload,
                                                const RankSpeeds& whole, const Task& task) {
  const double candidates = workload.mean() * double(cloud.size());
  if (backend.devices().empty() || candidates > kLongestOwnWay * whole.candidates)
    return std::nullopt;
  RankSpeeds best;
  double shortest = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kTimedOwnWays; ++run) {
    const auto counted = backend.count(cloud, eps, strategy, task);
    if (!counted) return tl::unexpected(counted.error());
    const StageSeconds& seconds = counted->stats.seconds;
    if (seconds.index + seconds.join >= shortest) continue;
    shortest = seconds.index + seconds.join;
    double kernels = 0;  // of several streams at once
    for (const KernelStats& kernel : counted->stats.kernels) kernels += kernel.seconds;
    if (kernels <= 0) return std::nullopt;  // the CPU took over
    const double joining = std::min(kernels, seconds.join);
    best = {.candidates = std::max(1.0, candidates) / joining,
            .indexedPoints = double(cloud.size()) / seconds.index,
            .beside = seconds.join - joining};
  }
  return best;
}

}  // namespace clusterloom
