#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/hierarchy/eps_curve.h"
#include "engine/validity/stability_over_eps.h"
#include "render/charts/chart.h"
#include "render/charts/eps_series.h"

namespace clusterloom {

/// The exact numbers of clusters (left axis), noise and largest cluster (right axis, % of points)
/// at every ε (logarithmic), with the longest ranges in which the number of clusters stays the same
/// marked at the top; the current ε marked. Press or drag in the plot to choose ε, press a mark to
/// go to the middle of its range; wheel and keys zoom along ε.
class EpsCurveChart final : public EpsChart {
 public:
  EpsCurveChart();
  MakeTable table() const override;
  std::uint64_t longTableRows() const override;
  /// A curve of a cloud of `points` points and its plateaus, longest first; nullptr empties the
  /// chart.
  void setData(std::shared_ptr<const EpsCurve> curve, std::vector<Plateau> plateaus,
               std::uint64_t points);
  /// What is known of the clusters of some ε, by ascending ε.
  void setFoundAgain(std::vector<FoundAgainAt> found);
  /// A band of the stability by resampling, on the right axis, around its mean: steps around each
  /// ε, ascending. None empties it.
  void setStability(std::vector<StabilityAt> stability);
  void setClusterAxis(ClusterAxis axis);
  bool isLogarithmic() const;

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
