#pragma once

#include <cstdint>
#include <optional>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/join_forecast.h"
#include "engine/distributed/rank_plan.h"
#include "engine/hierarchy/forecast.h"
#include "engine/join/cost_of_k.h"
#include "engine/join/strategy.h"
#include "engine/run_json.h"

namespace clusterloom {

/// Options of a plan besides the join itself.
struct RunPlanOptions {
  Strategy strategy;
  RankPlanOptions ranks;
  std::int64_t minPts = 0;  ///< of a hierarchy; 0: none is forecast
  int threads = 0;          ///< 0: as many as the machine has
};

/// The expected results and cost of a join of a cloud with itself.
struct RunPlan {
  JoinForecast join;
  /// What the grid's strategy decides; none for Manhattan and Chebyshev distances, which take no
  /// options of a strategy, and above kMaxGridDims dimensions, where products compare the points.
  /// Ranks do not share such joins.
  struct ByStrategy {
    CostModel costs;  ///< of counting, for every k
    RankPlan onRanks;
  };
  std::optional<ByStrategy> byStrategy;
  std::optional<HierarchyForecast> hierarchy;
};

/// The cost of every k for counting neighbours by `backend` (engine/join/cost_of_k.h), whose space
/// is `space`, with the periods of the scaled cloud. BadCall for Manhattan and Chebyshev distances.
Result<CostModel> costOfCounting(const Backend& backend, const PointCloud& cloud, double eps,
                                 const Space& space, const Strategy& strategy, int threads,
                                 const Task& task = {});

/// Plans a join at ε, in the space of `options.ranks`. The hierarchy does not depend on ε: `known`,
/// if given, is taken instead of another measurement. Errors are those of forecastJoin, planRanks,
/// costOfK, checkStrategy and forecastHierarchy, and BadCall for a method that is not the default
/// where there is no strategy to plan, and for a hierarchy on a sphere.
Result<RunPlan> planRun(const Backend& backend, const PointCloud& cloud, double eps,
                        const RunPlanOptions& options, const Task& task = {},
                        const std::optional<HierarchyForecast>& known = {});

/// Whether the hierarchy was measured. It is not for clouds that are no larger than a sample.
bool isMeasured(const HierarchyForecast& hierarchy);

/// Adds backend strategy join cost_of_k best_k hierarchy sampled candidates_per_query network
/// one_rank forecasts: the one description that the command line prints and Python returns. What
/// the plan does not have is null, but for the hierarchy.
void addPlan(Json& object, const Backend& backend, const RunPlan& plan, std::int64_t minPts);

}  // namespace clusterloom
