#pragma once

#include <cstdint>
#include <vector>

#include "engine/dbscan/sweep.h"
#include "render/charts/chart.h"
#include "render/charts/eps_series.h"

namespace clusterloom {

/// Clusters (left axis), noise and the largest cluster (right axis, % of points) against ε
/// (logarithmic), the current ε marked; press or drag in the plot to choose another of the steps.
class SweepChart final : public EpsChart {
 public:
  SweepChart();
  MakeTable table() const override;
  /// Steps so far (any order) of a cloud of `points` points; empty empties the chart.
  void setData(std::vector<SweepPoint> steps, std::uint64_t points);
  /// What is known of the clusters of some ε, by ascending ε.
  void setFoundAgain(std::vector<FoundAgainAt> found);
  void setClusterAxis(ClusterAxis axis);
  /// Whether the axis of the clusters is logarithmic. Zero clusters are then at its low end, which
  /// says so.
  bool isLogarithmic() const;

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
