#pragma once

#include <cstdint>
#include <memory>

#include "engine/load/load_report.h"
#include "render/charts/chart.h"
#include "render/charts/warp_columns.h"

namespace clusterloom {

/// The occupancy of each multiprocessor over time, one row each, and the ideal end: the idle tail
/// of a run is the pale part on the right. A click picks the warp that runs there.
class MultiprocessorChart final : public Chart {
 public:
  MultiprocessorChart();
  MakeTable table() const override;
  std::uint64_t longTableRows() const override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const LoadReport> report);
  /// Outlines a warp in time and place; −1: none.
  void setMarked(std::int64_t warp);
  void setOnPick(WarpPickFn onPick);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
