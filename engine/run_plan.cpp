#include "engine/run_plan.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <string>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/join/join_plan.h"

namespace clusterloom {
namespace {

template <class Work>
auto onThreads(int threads, const Work& work) {
  tbb::task_arena arena(threads > 0 ? threads : tbb::info::default_concurrency());
  return arena.execute(work);
}

Json describeSpeeds(const RankSpeeds& speeds) {
  return {{"candidates_per_second", speeds.candidates},
          {"points_per_second", speeds.indexedPoints}};
}

Json describeJoin(const JoinForecast& join) {
  return {{"queries", join.queries},          {"pairs", join.pairs},
          {"pairs_error", join.pairsError},   {"candidates", join.candidates},
          {"seconds", join.seconds},          {"seconds_error", join.secondsError},
          {"seconds_are_most", join.isMost},  {"count_bytes", join.countBytes()},
          {"table_bytes", join.tableBytes()}, {"pair_list_bytes", join.pairListBytes()},
          {"free_bytes", availableMemory()}};
}

Json describeCosts(const CostModel& model) {
  Json all = Json::array();
  for (const CostOfK& cost : model.costs)
    all.push_back({{"k", cost.k},
                   {"cell_search", cost.cellSearchOps},
                   {"distances", cost.distanceOps},
                   {"total", cost.total()}});
  return all;
}

Json describeHierarchy(std::int64_t minPts, const HierarchyForecast& hierarchy) {
  if (!isMeasured(hierarchy))
    return {{"min_pts", minPts}, {"seconds", nullptr}, {"bytes", nullptr}, {"peak_bytes", nullptr}};
  return {{"min_pts", minPts},
          {"seconds", hierarchy.seconds},
          {"bytes", hierarchy.bytes},
          {"peak_bytes", hierarchy.peakBytes}};
}

/// Of Euclidean distances.
Result<CostModel> costOf(const Backend& backend, const JoinInput& input, double eps,
                         const Strategy& strategy, const Task& task) {
  const BackendLimits limits = backend.limits();
  const std::size_t dims = input.points.dims();
  if (input.twoClouds)
    if (auto legal = checkStrategy(strategy, SinkKind::Counts, limits, dims, JoinSides::TwoClouds);
        !legal)
      return tl::unexpected(legal.error());
  const Strategy decided = decideWithoutK(strategy, SinkKind::Counts, dims, limits);
  return costOfK(input, eps, decided, task, searchStepOf(limits, SinkKind::Counts));
}

Result<RunPlan::ByStrategy> planByStrategy(const Backend& backend, const PointCloud& cloud,
                                           double eps, const RunPlanOptions& options,
                                           const Task& task) {
  auto ranks = planRanks(backend, cloud, eps, options.strategy, options.ranks, task);
  if (!ranks) return tl::unexpected(ranks.error());
  auto costs = costOfCounting(backend, cloud, eps, options.ranks.space, options.strategy,
                              options.threads, task);
  if (!costs) return tl::unexpected(costs.error());
  return RunPlan::ByStrategy{std::move(*costs), std::move(*ranks)};
}

/// The forecast for one of the numbers of ranks.
Json describeForecast(const RankPlan& plan, std::size_t i) {
  const RanksForecast& one = plan.forecasts[i];
  const double perfect = plan.oneRank / double(one.ranks);
  Json ring = describeSpeeds(plan.requests[i].ring);
  ring["rounds"] = one.ranks;
  ring["round_seconds"] = {{"index", one.ring.index},
                           {"join", one.ring.join},
                           {"transfer", one.ring.transfer},
                           {"waiting", one.ring.waiting}};
  ring["choice_seconds"] = plan.requests[i].ringChoice;
  ring["move_seconds"] = one.ring.move;
  ring["total_seconds"] = one.ring.total;
  ring["efficiency"] = perfect / one.ring.total;
  ring["imbalance"] = one.ring.imbalance;
  ring["bytes_sent"] = one.ring.bytesSent;
  ring["memory_bytes"] = one.ring.memory;
  const ReplicatedForecast& all = one.replicated;
  return {{"ranks", one.ranks},
          {"ring", std::move(ring)},
          {"replicated",
           {{"query_sets", all.querySets},
            {"index_seconds", all.index},
            {"fixed_seconds", all.fixed},
            {"single_seconds", all.single},
            {"queue_seconds", all.queue},
            {"efficiency", perfect / all.queue},
            {"imbalance", all.imbalance},
            {"single_imbalance", all.singleImbalance},
            {"memory_bytes", all.memory}}}};
}

}  // namespace

bool isMeasured(const HierarchyForecast& hierarchy) { return hierarchy.seconds > 0; }

Result<CostModel> costOfCounting(const Backend& backend, const PointCloud& cloud, double eps,
                                 const Space& space, const Strategy& strategy, int threads,
                                 const Task& task) {
  return onThreads(threads, [&]() -> Result<CostModel> {
    if (space.isEuclidean()) return costOf(backend, cloud, eps, strategy, task);
    const auto placed = pointsInSpace(cloud, eps, space, task);
    if (!placed) return tl::unexpected(placed.error());
    return costOf(backend, placed->join(), placed->eps, strategy, task);
  });
}

Result<RunPlan> planRun(const Backend& backend, const PointCloud& cloud, double eps,
                        const RunPlanOptions& options, const Task& task,
                        const std::optional<HierarchyForecast>& known) {
  const Space& space = options.ranks.space;
  if (options.minPts > 0 && space.sphere)
    return badCall(
        "There are no hierarchies of longitude and latitude to forecast; leave out minPts.");
  RunPlan plan;
  // Only the grid has a strategy to plan.
  const bool byStrategy = !isTreeMetric(space.metric) && cloud.dims() <= kMaxGridDims;
  if (!byStrategy) {
    if (auto legal =
            checkStrategy(options.strategy, SinkKind::Counts, backend.limits(), cloud.dims());
        !legal)
      return tl::unexpected(legal.error());
    // The forecast is of the default.
    if (options.strategy.method == Method::BruteForce)
      return badCall("A plan in more than " + std::to_string(kMaxGridDims) +
                     " dimensions is for the method " + toText(Method::Products) +
                     "; leave the method as it is.");
  }
  const auto expected = forecastJoin(backend, cloud, eps, task);
  if (!expected) return tl::unexpected(expected.error());
  plan.join = *expected;
  if (byStrategy) {
    auto planned = planByStrategy(backend, cloud, eps, options, task);
    if (!planned) return tl::unexpected(planned.error());
    plan.byStrategy = std::move(*planned);
  }
  plan.hierarchy = known;
  if (options.minPts > 0 && !known) {
    const auto measured = onThreads(options.threads, [&] {
      return forecastHierarchy(
          cloud, {.minPts = options.minPts, .periods = space.periods, .metric = space.metric},
          task);
    });
    if (!measured) return tl::unexpected(measured.error());
    plan.hierarchy = *measured;
  }
  return plan;
}

void addPlan(Json& object, const Backend& backend, const RunPlan& plan, std::int64_t minPts) {
  const RunPlan::ByStrategy* const by = plan.byStrategy ? &*plan.byStrategy : nullptr;
  object["backend"] = backend.name();
  object["strategy"] = by != nullptr ? Json(by->onRanks.strategy) : Json();
  object["join"] = describeJoin(plan.join);
  object["cost_of_k"] = by != nullptr ? describeCosts(by->costs) : Json();
  object["best_k"] = by != nullptr ? Json(by->costs.best) : Json();
  if (plan.hierarchy) object["hierarchy"] = describeHierarchy(minPts, *plan.hierarchy);
  if (by == nullptr) {
    for (const char* name : {"sampled", "candidates_per_query", "network", "one_rank", "forecasts"})
      object[name] = nullptr;
    return;
  }
  const RankPlan& ranks = by->onRanks;
  object["sampled"] = ranks.workload.candidates.size();
  object["candidates_per_query"] = ranks.workload.mean();
  const Network network = ranks.requests.empty() ? Network() : ranks.requests.front().network;
  object["network"] = {{"bytes_per_second", network.bytesPerSecond},
                       {"latency_seconds", network.latency}};
  object["one_rank"] = describeSpeeds(ranks.whole);
  object["one_rank"]["choice_seconds"] = ranks.choice;
  object["one_rank"]["seconds"] = ranks.oneRank;
  object["forecasts"] = Json::array();
  for (std::size_t i = 0; i < ranks.forecasts.size(); ++i)
    object["forecasts"].push_back(describeForecast(ranks, i));
}

}  // namespace clusterloom
