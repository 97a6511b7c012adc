#include "engine/load/gain_causes.h"

#include <cmath>

namespace clusterloom {

namespace {

/// Active lane-steps of all warps, weighted, in a unit that the reports of one machine share.
struct Work {
  double searches = 0;
  double comparisons = 0;
  double time = 1;  ///< of one of them while all slots work; modelled: always 1
  double all() const { return searches + comparisons; }
};

/// Warps of which a measured report tells, as a share of all. Its ideal makespan is that of these
/// warps; a modelled report's is that of all.
double lookedAt(const LoadReport& report) {
  if (!report.measured || report.allWarps == 0) return 1;
  return static_cast<double>(report.warps.size()) / static_cast<double>(report.allWarps);
}

Work workOf(const LoadReport& report) {
  const auto weighted = [&](Loop loop) {
    const auto at = static_cast<std::size_t>(loop);
    return report.weights.of[at] * static_cast<double>(report.laneSteps[at]);
  };
  Work work{weighted(Loop::Cell) + weighted(Loop::Search),
            weighted(Loop::Candidate) + weighted(Loop::Hit)};
  if (work.all() == 0 || report.warps.empty()) return {};
  // The time in which all slots do this work. Of a model it is the work itself, also of a sample.
  const double time = report.idealMakespan * report.wee;
  if (report.measured) work.time = time / work.all();
  const double scale = report.measured ? 1 / lookedAt(report) : time / work.all();
  work.searches *= scale;
  work.comparisons *= scale;
  return work;
}

/// How many times as long the run takes as if all slots ended at the same time.
double tailOf(const LoadReport& report) {
  return report.makespan / report.idealMakespan * lookedAt(report);
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
  if (first.measured != other.measured) return causes;
  if (!(before.all() > 0 && after.all() > 0)) return causes;
  const double mean = logarithmicMean(before.all(), after.all());
  causes.searches = std::exp((before.searches - after.searches) / mean);
  causes.comparisons = std::exp((before.comparisons - after.comparisons) / mean);
  causes.lanes = other.wee / first.wee;
  causes.tail = tailOf(first) / tailOf(other);
  if (first.measured && other.measured) causes.memory = before.time / after.time;
  return causes;
}

}  // namespace clusterloom
