#include "ui/session/suggestion.h"

#include <QString>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchy/eps_advice.h"
#include "engine/hierarchy/forecast.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/stable_partition.h"
#include "render/paint/ticks.h"
#include "ui/session/preview.h"

namespace clusterloom {

namespace {

constexpr std::size_t kWholeUpTo = 300000;
constexpr std::size_t kSubsample = 100000;
constexpr std::uint64_t kAsked = 2000;
constexpr std::size_t kTreePoints = 50000;  // a hierarchy of them takes a fifth of a second
constexpr std::size_t kFewDims = 3;         // in which it does
constexpr double kSmaller = 0.85;           // of ε, where that is too large
constexpr int kMostTries = 8;
constexpr double kMostTrySeconds = 2;

/// ε where all lengths of a cloud grow by this factor: cosine distances are half the squares of
/// chords.
double grown(double eps, double factor, Metric metric) {
  return eps * (metric == Metric::Cosine ? factor * factor : factor);
}

Result<double> kneeOf(const PointCloud& cloud, Metric metric, std::int64_t minPts,
                      const Task& task) {
  const auto most = static_cast<std::int64_t>(cloud.size());
  const int k = static_cast<int>(std::clamp<std::int64_t>(minPts, 1, most));
  auto curve = kDistances(cloud, k, kAsked, task, metric);
  if (!curve) return tl::unexpected(curve.error());
  return curve->suggestedEps;
}

/// The knee of a cloud, or of a subsample.
Result<double> kneeOfAny(const PointCloud& cloud, Metric metric, std::int64_t minPts,
                         const Task& task) {
  if (cloud.size() <= kWholeUpTo) return kneeOf(cloud, metric, minPts, task);
  const PreviewSample sample = makePreviewSample(cloud, kSubsample);
  // What ε = 1 would become on the subsample shows by how much its distances are too large.
  const DbscanParams scaled =
      previewParams({.eps = 1, .minPts = minPts}, sample.points.size(), sample.of, cloud.dims());
  auto knee = kneeOf(sample.cloud, metric, scaled.minPts, task);
  if (knee) *knee = grown(*knee, 1 / scaled.eps, metric);
  return knee;
}

bool hasOneCluster(const Clustering& clustering) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(clustering.clusters), 0);
  for (const std::int32_t label : clustering.labels)
    if (label >= 0) ++sizes[static_cast<std::size_t>(label)];
  return !sizes.empty() && isNearlyAll(*std::max_element(sizes.begin(), sizes.end()),
                                       clustering.labels.size() - clustering.noiseCount);
}

/// `eps`, or a smaller one at which not nearly all points are in one cluster, and no more than half
/// of them noise, if a few runs find one.
Result<double> belowOneCluster(const PointCloud& cloud, Metric metric, std::int64_t minPts,
                               double eps, const Task& task) {
  auto made = makeBackend("cpu", {});
  if (!made) return eps;
  const auto backend = backendIn({.metric = metric}, {}, std::move(*made));
  if (!backend) return eps;
  Task quiet;  // the progress is that of the search
  quiet.stop = task.stop;
  const Stopwatch time;
  double noisy = 0;    // more than half of the points are noise
  double large = eps;  // nearly all are in one cluster
  double now = eps;
  for (int i = 0; i < kMostTries && time.seconds() < kMostTrySeconds; ++i) {
    const auto clustering = (*backend)->dbscan(cloud, {now, minPts}, {}, quiet);
    if (task.cancelled()) return cancelledError();
    if (!clustering) return eps;
    const bool isNoisy = 2 * clustering->noiseCount > cloud.size();
    if (!isNoisy && !hasOneCluster(*clustering)) return now;
    (isNoisy ? noisy : large) = now;
    if (noisy >= large) return eps;
    now = roundedTo(noisy > 0 ? std::sqrt(noisy * large) : kSmaller * large, kKneeDigits);
  }
  return eps;
}

/// Fills in the most stable partition and the ε in its middle, if there is one.
Result<void> suggestStable(const PointCloud& cloud, Metric metric, Suggestion& suggestion,
                           const Task& task) {
  const std::size_t count = cloud.dims() <= kFewDims ? std::min(cloud.size(), kTreePoints)
                                                     : previewPoints(cloud.size(), cloud.dims());
  suggestion.isExact = count == cloud.size();
  suggestion.isOfSample = !suggestion.isExact;
  PreviewSample sample;
  DbscanParams scaled{.eps = 1, .minPts = suggestion.minPts};
  if (!suggestion.isExact) {
    sample = makePreviewSample(cloud, count);
    scaled = previewParams(scaled, count, cloud.size(), cloud.dims());
  }
  if (!hierarchyPossible(count, scaled.minPts)) return {};
  const auto hierarchy = Hierarchy::build(
      suggestion.isExact ? cloud : sample.cloud,
      {.minPts = std::max<std::int64_t>(scaled.minPts, 1), .metric = metric}, task);
  if (task.cancelled()) return cancelledError();
  if (!hierarchy) return {};  // the knee needs less memory
  auto stable =
      mostStablePartition(hierarchy->dendrogram(), leastSizeWithMeaning(count, scaled.minPts),
                          grown(suggestion.range.low, scaled.eps, metric));
  if (!stable) return {};
  for (double* end : {&stable->from, &stable->to}) *end = grown(*end, 1 / scaled.eps, metric);
  const double middle = middleOf(*stable);
  // Rounded within the range: no digits that mean nothing.
  suggestion.eps = roundestWithin(std::max(stable->from, 0.98 * middle),
                                  std::min(0.999 * stable->to, 1.02 * middle));
  suggestion.stable = stable;
  return {};
}

/// For the distances of a metric.
Result<Suggestion> suggestBy(const PointCloud& cloud, Metric metric, std::int64_t minPts,
                             const Task& task) {
  Suggestion suggestion;
  suggestion.range = sensibleEpsRange(cloud, task, metric);
  suggestion.minPts = minPts;
  if (task.cancelled()) return cancelledError();

  if (auto done = suggestStable(cloud, metric, suggestion, task); !done)
    return tl::unexpected(done.error());
  EpsRange& range = suggestion.range;
  double& eps = suggestion.eps;
  if (!suggestion.stable) {
    auto knee = kneeOfAny(cloud, metric, minPts, task);
    if (!knee) return tl::unexpected(knee.error());
    eps = *knee;
    if (!(eps > 0) || !std::isnormal(eps * eps)) eps = std::sqrt(range.low) * std::sqrt(range.high);
    // A starting value, not a measurement: sixteen digits would be misleading.
    if (const double brief = briefKnee(eps); std::isnormal(brief * brief)) eps = brief;
    const auto smaller = belowOneCluster(cloud, metric, minPts, eps, task);
    if (!smaller) return tl::unexpected(smaller.error());
    suggestion.isBelowKnee = *smaller < eps;
    eps = *smaller;
  }
  range.low = std::min(range.low, eps);
  range.high = std::max(range.high, eps);
  return suggestion;
}

}  // namespace

Result<Suggestion> suggestEps(const PointCloud& cloud, const Space& space, const Scaling& scaling,
                              std::int64_t minPts, const Task& task) {
  const bool isFlat = space.periods.empty() && !space.sphere;
  Result<PointCloud> copy;
  if (!isFlat) copy = flatCopy(space, scaling, cloud, task);
  if (!copy) return tl::unexpected(copy.error());
  auto suggestion = suggestBy(isFlat ? cloud : *copy, space.metric, minPts, task);
  if (!suggestion) return suggestion;
  if (!isFlat) suggestion->isExact = false;
  suggestion->isUnwrapped = !space.periods.empty();
  const double most = mostEps(space, scaling);
  if (std::isinf(most)) return suggestion;
  EpsRange& range = suggestion->range;
  range.high = std::min(range.high, most);
  range.low = std::min(range.low, range.high / 1000);
  suggestion->eps = std::min(suggestion->eps, range.high);
  return suggestion;
}

double mostEps(const Space& space, const Scaling& scaling) {
  return 0.999 * epsLimit(space, scaling);
}

std::int64_t neighboursOf(std::int64_t minPts, double meanWeight) {
  return meanWeight > 0 ? weightedMinPts(minPts, 1 / meanWeight) : minPts;
}

std::int64_t weightedMinPts(std::int64_t neighbours, double meanWeight) {
  if (!(meanWeight > 0)) return neighbours;
  constexpr double kMost = std::numeric_limits<int>::max();  // that the panel can show
  return std::llround(std::clamp(static_cast<double>(neighbours) * meanWeight, 1.0, kMost));
}

}  // namespace clusterloom
