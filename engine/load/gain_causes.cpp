#include "engine/load/gain_causes.h"

#include <cmath>

namespace clusterloom {

namespace {

/// Active lane-steps, weighted, in a unit that the reports of one machine share.
struct Work {
  double searches = 0;
  double comparisons = 0;
  double all() const { return searches + comparisons; }
};

Work workOf(const LoadReport& report) {
  const auto weighted = [&](Loop loop) {
    const auto at = static_cast<std::size_t>(loop);
    return report.weights.of[at] * static_cast<double>(report.laneSteps[at]);
  };
  Work work{weighted(Loop::Cell) + weighted(Loop::Search),
            weighted(Loop::Candidate) + weighted(Loop::Hit)};
  if (work.all() == 0) return {};
  // Of a sample: what the ideal makespan says of all warps.
  const double scale = report.idealMakespan * report.wee / work.all();
  return {work.searches * scale, work.comparisons * scale};
}

/// (a − b) / ln(a / b).
double logarithmicMean(double a, double b) {
  const double ratio = std::log(a / b);
  return std::abs(ratio) < 1e-9 ? a : (a - b) / ratio;
}

}  // namespace

GainCauses gainCauses(const LoadReport& first, const LoadReport& other) {
  const Work before = workOf(first);
  const Work after = workOf(other);
  GainCauses causes;
  if (!(before.all() > 0 && after.all() > 0)) return causes;
  const double mean = logarithmicMean(before.all(), after.all());
  causes.searches = std::exp((before.searches - after.searches) / mean);
  causes.comparisons = std::exp((before.comparisons - after.comparisons) / mean);
  causes.lanes = other.wee / first.wee;
  causes.tail = (first.makespan / first.idealMakespan) / (other.makespan / other.idealMakespan);
  return causes;
}

}  // namespace clusterloom
