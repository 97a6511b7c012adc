#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "engine/load/warp_trace.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// Called with the step of a warp's trace and the lane under the cursor.
using LaneStepFn = std::function<void(std::size_t step, std::uint32_t lane)>;

/// One warp lane by lane and step by step: coloured by loop where a lane is active, pale where it
/// idles [Gallet 2019, figure 3]. Where more steps are visible than pixels, a pixel has the colour
/// of the loop of most of its active steps, paler where these are fewer. A cursor marks one
/// step; arrow keys move it, a click sets it.
class LaneChart final : public Chart {
 public:
  LaneChart();
  MakeTable table() const override;
  std::uint64_t longTableRows() const override;
  MakeWords valueWords() const override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const WarpTrace> trace);
  /// Puts the cursor on a step of the trace's window, −1: none; calls no callback.
  void setCursor(std::int64_t step);
  std::int64_t cursor() const;
  /// Zooms to about `steps` steps around the cursor, if all are on show; else leaves the zoom.
  void showAroundCursor(std::size_t steps);
  /// Marks the lane of this query point; −1: none.
  void setMarkedPoint(std::int64_t point);
  void setOnCursor(LaneStepFn onCursor);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
