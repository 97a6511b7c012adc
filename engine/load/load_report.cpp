#include "engine/load/load_report.h"

namespace clusterloom {

std::string toText(LoadKernel kernel) { return kernel == LoadKernel::Pairs ? "pairs" : "counts"; }

bool fromText(const std::string& text, LoadKernel& kernel) {
  for (const LoadKernel known : {LoadKernel::Pairs, LoadKernel::Counts})
    if (text == toText(known)) {
      kernel = known;
      return true;
    }
  return false;
}

double warpExecutionEfficiency(const PerLoop<std::uint64_t>& steps,
                               const PerLoop<std::uint64_t>& laneSteps,
                               const LoopWeights& weights) {
  double active = 0;
  double all = 0;
  for (std::size_t loop = 0; loop < kLoops; ++loop) {
    active += weights.of[loop] * double(laneSteps[loop]);
    all += weights.of[loop] * 32.0 * double(steps[loop]);
  }
  return all > 0 ? active / all : 0;
}

double secondsOf(const LoadReport& report, double time) {
  if (report.measured) return time;
  SimtMachine machine;
  machine.warpsPerMultiprocessor = report.warpsPerMultiprocessor;
  machine.clockGHz = report.clockGHz;
  return machine.seconds(time);
}

double stepsOfAllWarps(const LoadReport& report) {
  if (report.warps.empty()) return 0;
  double steps = 0;
  for (std::size_t loop = 0; loop < report.steps.size(); ++loop)
    steps += report.weights.of[loop] * static_cast<double>(report.steps[loop]);
  return steps * static_cast<double>(report.allWarps) / static_cast<double>(report.warps.size());
}

Result<LoadReport> noLoadOf(Metric metric) {
  return badCall("The load of warps is that of Euclidean distances, not of " +
                 std::string(toText(metric)) + " ones.");
}

}  // namespace clusterloom
