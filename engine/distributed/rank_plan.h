#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/divided_backend.h"
#include "engine/distributed/plan.h"

namespace clusterloom {

/// Makes the backend of one device that joins by dealing `querySets` query sets to itself; 0: the
/// default number of that deal.
using MakeDealt =
    std::function<Result<std::unique_ptr<Backend>>(Deal deal, std::uint32_t querySets)>;

/// For the GPU of that number, −1: the first; empty unless `backend` runs on GPUs alone.
MakeDealt dealtByGpu(const Backend& backend, int device, MakeBackend make = makeBackend);

/// The options of a plan.
struct RankPlanOptions {
  std::vector<std::uint64_t> ranks;  ///< numbers of ranks, each at least 1
  std::uint64_t querySets = 0;       ///< of the replicated join; 0: kSetsPerRank for each rank
  RankSpeeds given;                  ///< speeds that are above 0 are not measured
  Network network;
  /// If set, and no speed is given, joins of a few seconds are timed with every deal.
  MakeDealt dealt = {};
  Space space = {};  ///< that of the backend, with the periods of the scaled cloud
};

/// The expected times of a join on several numbers of ranks.
struct RankPlan {
  PlanWorkload workload;
  std::string strategy;               ///< in words
  RankSpeeds whole;                   ///< of a rank that indexes the whole cloud
  double choice = 0;                  ///< seconds in which a rank chooses the strategy
  double oneRank = 0;                 ///< seconds of a join on one rank
  std::vector<PlanRequest> requests;  ///< one for each number of ranks
  std::vector<RanksForecast> forecasts;

  /// Seconds of the work on one rank divided by those of `total` on all ranks together.
  double efficiency(std::size_t i, double total) const {
    return oneRank / (double(forecasts[i].ranks) * total);
  }
};

/// Samples the workload, measures the speeds of `backend` for the part of each number of ranks, and
/// simulates both joins. Errors: those of sampleJoin and measureSpeeds.
Result<RankPlan> planRanks(const Backend& backend, const PointCloud& cloud, double eps,
                           const Strategy& strategy, const RankPlanOptions& options,
                           const Task& task);

}  // namespace clusterloom
