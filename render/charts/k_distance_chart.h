#pragma once

#include <memory>

#include "engine/hierarchy/k_distance.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// k-distances in falling order against the share of the points, with a line at ε that can be
/// dragged (press anywhere in the plot), and the suggested ε marked. Points left of where the line
/// meets the curve would not be core.
class KDistanceChart final : public EpsChart {
 public:
  KDistanceChart();
  MakeTable table() const override;
  std::uint64_t longTableRows() const override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const KDistances> data);
  void setLogarithmic(bool logarithmic);
  bool isLogarithmic() const;

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
