#include "engine/distributed/rank_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/stopwatch.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/distributed/plan_samples.h"
#include "engine/join/backend_kinds.h"

namespace clusterloom {
namespace {

constexpr double kLongestTimed = 2;  // seconds

Result<RankSpeeds> speedsOf(const Backend& backend, const PointCloud& cloud, double eps,
                            const SampledJoin& join, std::uint64_t parts, RankSpeeds speeds,
                            const Task& task) {
  if (speeds.candidates > 0 && speeds.indexedPoints > 0) return speeds;
  const bool given = speeds.candidates > 0 || speeds.indexedPoints > 0;
  const auto measured = measureSpeeds(backend, cloud, eps, join, parts, task);
  if (!measured) return measured;
  if (speeds.candidates <= 0) speeds.candidates = measured->candidates;
  if (speeds.indexedPoints <= 0) speeds.indexedPoints = measured->indexedPoints;
  // Given speeds may be those of another machine. Rings of GPUs take the time that is forecast
  // without it, within 2 % (tests/bench/RESULTS.md).
  if (!given && backend.devices().empty()) speeds.beside = measured->beside;
  return speeds;
}

// Times one deal for each number of query sets as long as that takes a few seconds in all; later
// ones are expected to take what the last one did.
class DealTimer {
 public:
  DealTimer(const MakeDealt& make, Deal deal, const PointCloud& cloud, double eps,
            const Strategy& strategy, const Task& task)
      : make_(make), deal_(deal), cloud_(cloud), eps_(eps), strategy_(strategy), task_(task) {}

  // Zeros where there is no such deal.
  Result<DealtJoin> time(std::uint64_t querySets) {
    const auto sets = std::uint32_t(std::min<std::uint64_t>(querySets, cloud_.size()));
    if (!make_ || sets == last_ || spent_ > kLongestDeals) return dealt_;
    last_ = sets;
    const Stopwatch watch;
    const auto backend = make_(deal_, sets);
    if (!backend) return dealt_;
    const auto timed = timeDeal(**backend, cloud_, eps_, strategy_, task_);
    if (!timed) return tl::unexpected(timed.error());
    spent_ += watch.seconds();
    if (*timed) dealt_ = **timed;
    return dealt_;
  }

 private:
  static constexpr double kLongestDeals = 4;  // seconds

  const MakeDealt& make_;
  const Deal deal_;
  const PointCloud& cloud_;
  const double eps_;
  const Strategy& strategy_;
  const Task& task_;
  double spent_ = 0;                   // seconds
  std::optional<std::uint32_t> last_;  // number of sets that were timed
  DealtJoin dealt_;
};

}  // namespace

MakeDealt dealtByGpu(const Backend& backend, int device, MakeBackend make) {
  const std::vector<GpuDevice> gpus = backend.devices();
  if (gpus.empty() || !backendKind(backend.name()).sharesDevices) return {};
  const int number = device >= 0 ? device : gpus.front().number;
  return [number, make = std::move(make)](Deal deal, std::uint32_t querySets) {
    return make(std::string(kDeviceBackend),
                {.devices = {number}, .querySets = querySets, .deal = deal});
  };
}

Result<RankPlan> planRanks(const Backend& backend, const PointCloud& cloud, double eps,
                           const Strategy& strategy, const RankPlanOptions& options,
                           const Task& task) {
  // The points that a run in the space compares; of a box without their images.
  std::optional<PointsInSpace> placed;
  if (!options.space.isEuclidean()) {
    auto points = pointsInSpace(cloud, eps, options.space, task);
    if (!points) return tl::unexpected(points.error());
    placed = std::move(*points);
  }
  const PointCloud& compared = !placed           ? cloud
                               : placed->queries ? *placed->queries
                                                 : placed->points;
  const double within = placed ? placed->eps : eps;
  const auto join = sampleJoin(backend, compared, within, strategy, task);
  if (!join) return tl::unexpected(join.error());
  RankPlan plan;
  plan.workload = join->workload;
  plan.strategy = describe(join->strategy);
  const auto whole = speedsOf(backend, cloud, eps, *join, 1, options.given, task);
  if (!whole) return tl::unexpected(whole.error());
  plan.whole = *whole;
  plan.whole.beside = 0;  // of a round, not of the replicated join
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
  // As for own ways: not of long joins.
  const bool isShort = measured && plan.oneRank - plan.choice < kLongestTimed;
  const MakeDealt makeDealt = isShort ? options.dealt : MakeDealt{};
  const auto timerOf = [&](Deal deal) {
    return DealTimer(makeDealt, deal, cloud, eps, strategy, task);
  };
  DealTimer fixed = timerOf(Deal::Fixed);
  DealTimer single = timerOf(Deal::Single);
  const auto queued = timerOf(Deal::Queue).time(options.querySets);
  if (!queued) return tl::unexpected(queued.error());
  one.queued = *queued;
  plan.oneRank = forecast(plan.workload, one).replicated.queue;
  for (std::size_t i = 0; i < options.ranks.size(); ++i) {
    task.report("measuring speeds", double(i) / double(options.ranks.size()));
    const std::uint64_t ranks = options.ranks[i];
    const auto part =
        ranks == 1 ? whole : speedsOf(backend, cloud, eps, *join, ranks, options.given, task);
    if (!part) return tl::unexpected(part.error());
    double ringChoice = 0;
    if (measured) {
      const auto timed = timeRingChoice(backend, compared, within, strategy, ranks, task);
      if (!timed) return tl::unexpected(timed.error());
      ringChoice = *timed;
    }
    const std::uint64_t sets = options.querySets > 0 ? options.querySets : kSetsPerRank * ranks;
    const auto dealt = fixed.time(sets);
    if (!dealt) return tl::unexpected(dealt.error());
    const auto singles = single.time(sets);
    if (!singles) return tl::unexpected(singles.error());
    plan.requests.push_back({.ranks = ranks,
                             .querySets = options.querySets,
                             .ring = *part,
                             .replicated = plan.whole,
                             .own = one.own,
                             .dealt = *dealt,
                             .single = *singles,
                             .queued = *queued,
                             .network = options.network,
                             .choice = plan.choice,
                             .ringChoice = ringChoice});
    plan.forecasts.push_back(forecast(plan.workload, plan.requests.back()));
  }
  return plan;
}

}  // namespace clusterloom
