#include "engine/load/load_report.h"

namespace clusterloom {

double warpExecutionEfficiency(const PerLoop<std::uint64_t>& steps,
                               const PerLoop<std::uint64_t>& laneSteps,
                               const LoopWeights& weights) {
  double active = 0;
  double all = 0;
  for (std::size_t loop = 0; loop < kLoops; ++loop) {
    active += weights.of[loop] * static_cast<double>(laneSteps[loop]);
    all += weights.of[loop] * 32.0 * static_cast<double>(steps[loop]);
  }
  return all > 0 ? active / all : 0;
}

}  // namespace clusterloom
