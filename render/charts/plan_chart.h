#pragma once

#include <memory>

#include "engine/distributed/rank_plan.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// What a join is expected to take on more and more ranks, both axes logarithmic: the ring join
/// with its phases, the replicated join from a shared queue and by both fixed deals, and what ranks
/// without any loss would take [Gowanlock 2019, figures 10 and 11].
class PlanChart final : public Chart {
 public:
  PlanChart();
  MakeTable table() const override;
  /// nullptr, or a plan of no number of ranks, empties the chart.
  void setData(std::shared_ptr<const RankPlan> plan);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
