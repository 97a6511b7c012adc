#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/load/load_report.h"
#include "engine/load/warp_trace.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// Called with the warp that the user picked: its place in LoadReport::warps, −1 for none.
using WarpPickFn = std::function<void(std::int64_t warp)>;

/// "modelled · WEE 26.5 % ± 0.3 % · a sample of 1,000 of 62,500 warps": the summary in every
/// picture of a report.
std::string loadTitle(const LoadReport& report);
/// One warp in a line: number, batch, query points, steps and how many of them were work.
std::string warpWords(const LoadReport& report, std::size_t warp);

/// The load of every warp in order of launch: a pale bar as high as its steps, of which the solid
/// part is what always active lanes would have needed; the rest is idle [Gallet 2019, figures 3 and
/// 7]. Where more warps are visible than pixels, a column is the mean of several, and a line above
/// it marks the longest. Wheel, drag and keys zoom and pan; a click picks a warp.
class WarpLoadChart final : public Chart {
 public:
  WarpLoadChart();
  ~WarpLoadChart() override;
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
  std::unique_ptr<Parts> parts_;
};

/// How many warps take how many steps, each bar split into work and idling.
class StepsHistogramChart final : public Chart {
 public:
  StepsHistogramChart();
  ~StepsHistogramChart() override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const LoadReport> report);
  /// Marks the bin of a warp; −1: none.
  void setMarked(std::int64_t warp);
  /// Marks where a warp would be that the report's sample left out; nullopt: none.
  void setMarkedOutside(const std::optional<WarpLoad>& warp);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The occupancy of each multiprocessor over time, one row each, and the ideal end: the idle tail
/// of a run is the pale part on the right. A click picks the warp that runs there.
class MultiprocessorChart final : public Chart {
 public:
  MultiprocessorChart();
  ~MultiprocessorChart() override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const LoadReport> report);
  /// Outlines a warp in time and place; −1: none.
  void setMarked(std::int64_t warp);
  void setOnPick(WarpPickFn onPick);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Called with the step of a warp's trace and the lane under the cursor.
using LaneStepFn = std::function<void(std::size_t step, std::uint32_t lane)>;

/// One warp lane by lane and step by step: coloured by loop where a lane is active, pale where it
/// idles [Gallet 2019, figure 3]. Where more steps are visible than pixels, a pixel has the colour
/// of the loop that most of its active steps are of, paler the fewer they are. A cursor marks one
/// step; arrow keys move it, a click sets it.
class LaneChart final : public Chart {
 public:
  LaneChart();
  ~LaneChart() override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const WarpTrace> trace);
  /// Puts the cursor on a step of the trace's window, −1: none; calls no callback.
  void setCursor(std::int64_t step);
  std::int64_t cursor() const;
  /// Zooms to about so many steps around the cursor, if all are on show; else leaves the zoom.
  void showAroundCursor(std::size_t steps);
  /// Marks the lane of this query point; −1: none.
  void setMarkedPoint(std::int64_t point);
  void setOnCursor(LaneStepFn onCursor);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Batches over time: of a run on a GPU, one row a stream with its kernels, transfers and the
/// host's work on the neighbour table; of a modelled one the span of each batch, in as many rows as
/// overlap in time.
class BatchChart final : public Chart {
 public:
  BatchChart();
  ~BatchChart() override;
  /// A recorded timeline; empty empties the chart.
  void setTimeline(std::vector<BatchStats> timeline);
  /// The timeline in the report's stats, else the spans of its warps; nullptr empties the chart.
  void setReport(std::shared_ptr<const LoadReport> report);
  /// Marks a batch; −1: none.
  void setMarked(std::int64_t batch);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace clusterloom
