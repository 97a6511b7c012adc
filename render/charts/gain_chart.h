#pragma once

#include <string>
#include <vector>

#include "engine/load/gain_causes.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// The name of a cause, in the order of GainCauses::factors: "fewer searches", …
std::string causeWord(std::size_t cause);

/// What one strategy gains over the first.
struct StrategyGain {
  std::string name;
  GainCauses causes;
};

/// What strategies gain over the first one, split into causes: one stacked bar for each. Factors
/// multiply, so the axis is logarithmic and the lengths of the parts add up: causes that gain are
/// stacked to the right of 1, causes that lose to the left, and a mark shows the whole gain, which
/// is also written beside the bar.
class GainChart final : public Chart {
 public:
  GainChart();
  MakeTable table() const override;
  /// The first one is what the others are compared with. `title`: on which warps. No strategy
  /// empties the chart.
  void setData(std::vector<StrategyGain> gains, const std::string& title);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
