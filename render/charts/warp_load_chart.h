#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/load/load_report.h"
#include "render/charts/chart.h"
#include "render/charts/warp_columns.h"

namespace clusterloom {

/// The load of every warp in order of launch: a pale bar as high as its steps, of which the solid
/// part is what always active lanes would have needed; the rest is idle [Gallet 2019, figures 3 and
/// 7]. Where more warps are visible than pixels, a column is the mean of several, and a line above
/// it marks the longest. Wheel, drag and keys zoom and pan; a click picks a warp.
class WarpLoadChart final : public Chart {
 public:
  WarpLoadChart();
  MakeTable table() const override;
  std::uint64_t longTableRows() const override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const LoadReport> report);
  /// Marks a warp and scrolls to it; −1: none.
  void setMarked(std::int64_t warp);
  /// Marks a warp that the report's sample left out, where it would be in order of launch, with a
  /// bar by figures of its own; nullopt: none.
  void setMarkedOutside(const std::optional<WarpLoad>& warp);
  /// A line above the chart before the report's own title (a strategy's name).
  void setName(const std::string& name);
  /// The steps at the upper end of the axis, so that charts side by side share it; 0: as needed.
  void setFullHeight(double steps);
  void setOnPick(WarpPickFn onPick);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
