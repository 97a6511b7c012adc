#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/load/load_report.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// How many warps take how many steps, each bar split into work and idling.
class StepsHistogramChart final : public Chart {
 public:
  StepsHistogramChart();
  MakeTable table() const override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const LoadReport> report);
  /// Marks the bin of a warp; −1: none.
  void setMarked(std::int64_t warp);
  /// Marks where a warp would be that the report's sample left out; nullopt: none.
  void setMarkedOutside(const std::optional<WarpLoad>& warp);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
