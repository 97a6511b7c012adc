#pragma once

#include <cstddef>
#include <string>

#include "engine/core/lane.h"
#include "engine/load/load_report.h"
#include "render/charts/plot_area.h"
#include "render/paint/painter.h"
#include "render/paint/theme.h"

namespace clusterloom {

/// Colours that all charts of load share: idle lanes, and each loop of the lane program.
Colour idleColour(const Theme& theme);
Colour loopColour(const Theme& theme, Loop loop);
/// "cell", "search", "candidate", "hit".
std::string loopName(Loop loop);
/// The same in the language of the window.
std::string loopWord(Loop loop);

/// The unit of the steps of a report: "steps" with unit weights, else "weighted steps".
std::string stepsName(const LoadReport& report);
/// The same in the language of the window.
std::string stepsWord(const LoadReport& report);
/// As the name of a table's column: "weighted_steps".
std::string columnName(std::string words);
/// A time of the report with its unit: seconds if measured, else weighted steps.
std::string timeText(const LoadReport& report, double time);
std::string timeAxisTitle(const LoadReport& report);

/// "modelled · WEE 26.5 % ± 0.3 % · a sample of 1,000 of 62,500 warps · H200: 132 multiprocessors ×
/// 64 warps": the summary in every picture of a report.
std::string loadTitle(const LoadReport& report);
/// " · H200: 132 multiprocessors × 64 warps": the last part of a title, which names the GPU that is
/// modelled; empty for a measured report.
std::string machinePart(const LoadReport& report);
std::string machinePart(const SimtMachine& machine);
/// One warp in a line: number, batch, query points, steps and how many of them were work.
std::string warpWords(const LoadReport& report, std::size_t warp);

/// A title above the plot, from the right, cut off at `from`; beside swatches see ChartHeader.
void paintTitle(Painter& painter, const PlotArea& area, const Theme& theme,
                const std::string& words, double from);

}  // namespace clusterloom
