#include "render/charts/load_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/charts/warp_columns.h"
#include "render/paint/colour_vision.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {

Colour idleColour(const Theme& theme) { return mix(theme.series[0], theme.ground, 0.72); }

Colour loopColour(const Theme& theme, Loop loop) {
  constexpr Colour kBluishGreen{0, 158, 115};  // of Okabe and Ito
  const std::array<Colour, kLoops> colours{theme.series[2], kBluishGreen, theme.series[0],
                                           theme.series[1]};
  return colours[std::size_t(loop)];
}

std::string loopName(Loop loop) {
  static constexpr std::array<const char*, kLoops> kNames{"cell", "search", "candidate", "hit"};
  return kNames[std::size_t(loop)];
}

std::string loopWord(Loop loop) {
  const std::array<std::string, kLoops> words{
      translate("Charts", "cell"), translate("Charts", "search"), translate("Charts", "candidate"),
      translate("Charts", "hit")};
  return words[std::size_t(loop)];
}

std::string stepsName(const LoadReport& report) {
  return report.weights == LoopWeights{} ? "steps" : "weighted steps";
}

std::string stepsWord(const LoadReport& report) {
  return report.weights == LoopWeights{} ? translate("Charts", "steps")
                                         : translate("Charts", "weighted steps");
}

std::string columnName(std::string words) {
  std::replace(words.begin(), words.end(), ' ', '_');
  return words;
}

std::string timeText(const LoadReport& report, double time) {
  if (report.measured) return measuredNumber(1000 * time) + " ms";
  const std::string steps = withUnit(time) + " " + stepsWord(report);
  if (report.clockGHz <= 0) return steps;
  return steps + ", " + secondsText(secondsOf(report, time));
}

std::string timeAxisTitle(const LoadReport& report) {
  return report.measured ? translate("Charts", "time since the first warp began (ms)")
                         : filled(translate("Charts", "modelled time (%1)"), {stepsWord(report)});
}

std::string loadTitle(const LoadReport& report) {
  std::string title =
      report.measured ? translate("Charts", "measured") : translate("Charts", "modelled");
  title += " · ";
  title += report.weights == LoopWeights{} ? translate("Charts", "unweighted WEE") : "WEE";
  title += " " + percentText(report.wee);
  if (report.weeError > 0)
    title += std::isfinite(report.weeError) ? " ± " + percentText(std::max(report.weeError, 1e-4))
                                            : translate("Charts", " ± unknown");
  if (report.warps.size() < report.allWarps)
    title += " · " + filled(translate("Charts", "a sample of %1 of %2 warps"),
                            {groupedText(report.warps.size()), groupedText(report.allWarps)});
  else
    title += " · " + countedText("Charts", "%1 warps", "1 warp", report.warps.size());
  return title + machinePart(report);
}

namespace {

std::string machineWords(const std::string& name, int multiprocessors, int warps, double clockGHz) {
  return " · " + filled(translate("Charts", "%1: %2 multiprocessors × %3 warps, %4 GHz"),
                        {name, std::to_string(multiprocessors), std::to_string(warps),
                         measuredNumber(clockGHz)});
}

}  // namespace

std::string machinePart(const LoadReport& report) {
  if (report.machine.empty()) return {};
  return machineWords(report.machine, report.multiprocessors, report.warpsPerMultiprocessor,
                      report.clockGHz);
}

std::string machinePart(const SimtMachine& machine) {
  return machineWords(nameOf(machine), machine.multiprocessors, machine.warpsPerMultiprocessor,
                      machine.clockGHz);
}

std::string warpWords(const LoadReport& report, std::size_t warp) {
  const WarpLoad& load = report.warps[warp];
  const WarpWork work = workOf(load, report.weights);
  std::string words = filled(translate("Charts", "warp %1"), {groupedText(load.number)});
  if (report.batchBegin.size() > 2)
    words += " · " + filled(translate("Charts", "batch %1"), {groupedText(load.batch)});
  words += " · " + countedText("Charts", "%1 queries", "1 query", load.tickets);
  words += " · " + withUnit(work.steps) + " " + stepsWord(report) + ", " +
           filled(translate("Charts", "%1 busy"),
                  {percentText(work.steps > 0 ? work.busy / work.steps : 0)});
  return words;
}

void paintTitle(Painter& painter, const PlotArea& area, const Theme& theme,
                const std::string& words, double from) {
  constexpr double kSize = 11;
  const double room = area.right - from;
  std::string fitting = words;
  // Cut at separators, least important parts (the tail) first.
  while (painter.widthOf(fitting, kSize) > room) {
    const std::size_t cut = fitting.rfind(" · ");
    if (cut == std::string::npos) return;
    fitting.resize(cut);
  }
  painter.text(fitting, area.right, area.top + 14 * painter.ratio(), Across::Right, Along::Centre,
               theme.faintText, kSize);
}

}  // namespace clusterloom
