#pragma once

#include <optional>
#include <vector>

#include "engine/join/cost_of_k.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// Time of the runs that indexed k dimensions.
struct MeasuredK {
  int k = 1;
  double seconds = 0;  ///< of the fastest of them
};

/// Predicted cost of indexing k dimensions: stacked bars of cell searches and distances (linear,
/// because logarithmic axes misrepresent stacks), the k in use marked; and, on an axis of its own,
/// the time of the runs [Gowanlock 2019, figure 7].
class CostChart final : public Chart {
 public:
  CostChart();
  MakeTable table() const override;
  /// nullopt empties the chart. `chosen` is the k in use, 0 for none.
  void setData(const std::optional<CostModel>& model, int chosen);
  /// Times of runs with these very points and ε; a k of which there are none is left out.
  void setMeasured(std::vector<MeasuredK> measured);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
