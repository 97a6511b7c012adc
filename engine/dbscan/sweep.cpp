#include "engine/dbscan/sweep.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/core/stopwatch.h"
#include "engine/dbscan/weighted_dbscan.h"

namespace clusterloom {
namespace {

SweepPoint summaryOf(const Clustering& clustering, double eps, double seconds) {
  std::vector<std::uint64_t> sizes(std::size_t(clustering.clusters), 0);
  for (const std::int32_t label : clustering.labels) {
    if (label >= 0) ++sizes[std::size_t(label)];
  }
  SweepPoint point;
  point.eps = eps;
  point.clusters = clustering.clusters;
  point.noise = clustering.noiseCount;
  point.largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  point.seconds = seconds;
  return point;
}

}  // namespace

Result<std::vector<double>> geometricEps(double low, double high, int count) {
  if (!std::isfinite(low) || !std::isfinite(high) || !(low > 0) || !(low <= high)) {
    return badCall("a sweep needs finite bounds with 0 < low ≤ high");
  }
  if (count < 1 || count > kMostSweepSteps) {
    return badCall("a sweep takes 1 to 10,000 values of ε, not " + std::to_string(count));
  }
  std::vector<double> eps(std::size_t(count), low);
  if (count == 1) return eps;
  // Logarithms, because high/low itself may overflow.
  const double logLow = std::log(low);
  const double logHigh = std::log(high);
  for (int i = 1; i + 1 < count; ++i) {
    const double t = double(i) / (count - 1);
    const double value = std::exp((1 - t) * logLow + t * logHigh);
    eps[std::size_t(i)] = std::clamp(value, eps[std::size_t(i - 1)], high);
  }
  eps.back() = high;
  return eps;
}

Result<std::vector<SweepPoint>> sweepEps(const Backend& backend, const JoinInput& input,
                                         const std::vector<double>& eps, std::int64_t minPts,
                                         const Strategy& strategy,
                                         const std::function<void(const SweepPoint&)>& onPoint,
                                         const Task& task, std::span<const double> weights) {
  std::vector<SweepPoint> sweep;
  sweep.reserve(eps.size());
  // The stages of the single runs would jump back and forth; the sweep reports its own progress.
  const Task silent{task.stop, {}};
  for (std::size_t i = 0; i < eps.size(); ++i) {
    if (task.cancelled()) return cancelledError();
    task.report("sweeping ε", double(i) / double(eps.size()));
    const Stopwatch watch;
    auto clustering = dbscanOf(backend, input, weights, {eps[i], minPts}, strategy, silent);
    if (!clustering) return tl::unexpected(clustering.error());
    sweep.push_back(summaryOf(*clustering, eps[i], watch.seconds()));
    if (onPoint) onPoint(sweep.back());
  }
  task.report("sweeping ε", 1.0);
  return sweep;
}

}  // namespace clusterloom
