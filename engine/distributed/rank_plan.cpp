#include "engine/distributed/rank_plan.h"

#include "engine/distributed/plan_samples.h"
#include "engine/join/join_plan.h"

namespace clusterloom {
namespace {

Result<RankSpeeds> speedsOf(const Backend& backend, const PointCloud& cloud, double eps,
                            const SampledJoin& join, std::uint64_t parts, RankSpeeds speeds,
                            const Task& task) {
  if (speeds.candidates > 0 && speeds.indexedPoints > 0) return speeds;
  const auto measured = measureSpeeds(backend, cloud, eps, join, parts, task);
  if (!measured) return measured;
  if (speeds.candidates <= 0) speeds.candidates = measured->candidates;
  if (speeds.indexedPoints <= 0) speeds.indexedPoints = measured->indexedPoints;
  return speeds;
}

}  // namespace

Result<RankPlan> planRanks(const Backend& backend, const PointCloud& cloud, double eps,
                           const Strategy& strategy, const RankPlanOptions& options,
                           const Task& task) {
  const auto join = sampleJoin(backend, cloud, eps, strategy, task);
  if (!join) return tl::unexpected(join.error());
  RankPlan plan;
  plan.workload = join->workload;
  plan.strategy = describe(join->strategy);
  const auto whole = speedsOf(backend, cloud, eps, *join, 1, options.given, task);
  if (!whole) return tl::unexpected(whole.error());
  plan.whole = *whole;
  PlanRequest one;
  one.ring = one.replicated = plan.whole;
  // Given speeds may be those of another machine.
  const bool measured = options.given.candidates <= 0 && options.given.indexedPoints <= 0;
  if (measured) {
    one.choice = plan.choice = join->choice;
    const auto own = measureOwnWay(backend, cloud, eps, strategy, plan.workload, plan.whole, task);
    if (!own) return tl::unexpected(own.error());
    if (*own) one.own = **own;
  }
  plan.oneRank = forecast(plan.workload, one).replicated.queue;
  for (std::size_t i = 0; i < options.ranks.size(); ++i) {
    task.report("measuring speeds",
                static_cast<double>(i) / static_cast<double>(options.ranks.size()));
    const std::uint64_t ranks = options.ranks[i];
    const auto part = ranks == 1 ? Result<RankSpeeds>(plan.whole)
                                 : speedsOf(backend, cloud, eps, *join, ranks, options.given, task);
    if (!part) return tl::unexpected(part.error());
    plan.requests.push_back({.ranks = ranks,
                             .querySets = options.querySets,
                             .ring = *part,
                             .replicated = plan.whole,
                             .own = one.own,
                             .network = options.network,
                             .choice = plan.choice});
    plan.forecasts.push_back(forecast(plan.workload, plan.requests.back()));
  }
  return plan;
}

}  // namespace clusterloom
