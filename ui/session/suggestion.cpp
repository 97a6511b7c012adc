#include "ui/session/suggestion.h"

#include <QString>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/dbscan/backend_in_space.h"
#include "render/paint/ticks.h"
#include "ui/session/preview.h"

namespace clusterloom {

namespace {

constexpr std::size_t kWholeUpTo = 300000;
constexpr std::size_t kSubsample = 100000;
constexpr std::uint64_t kAsked = 2000;

Result<double> kneeOf(const PointCloud& cloud, std::int64_t minPts, const Task& task) {
  const auto most = static_cast<std::int64_t>(cloud.size());
  const int k = static_cast<int>(std::clamp<std::int64_t>(minPts, 1, most));
  auto curve = kDistances(cloud, k, kAsked, task);
  if (!curve) return tl::unexpected(curve.error());
  return curve->suggestedEps;
}

}  // namespace

Result<Suggestion> suggestEps(const PointCloud& cloud, std::int64_t minPts, const Task& task) {
  Suggestion suggestion;
  suggestion.range = sensibleEpsRange(cloud, task);
  if (task.cancelled()) return cancelledError();

  double eps = 0;
  if (cloud.size() <= kWholeUpTo) {
    auto knee = kneeOf(cloud, minPts, task);
    if (!knee) return tl::unexpected(knee.error());
    eps = *knee;
  } else {
    const PreviewSample sample = makePreviewSample(cloud, kSubsample);
    // What ε = 1 would become on the subsample shows by how much its distances are too large.
    const DbscanParams scaled =
        previewParams({.eps = 1, .minPts = minPts}, sample.points.size(), sample.of, cloud.dims());
    auto knee = kneeOf(sample.cloud, scaled.minPts, task);
    if (!knee) return tl::unexpected(knee.error());
    eps = *knee / scaled.eps;
  }
  EpsRange& range = suggestion.range;
  if (!(eps > 0) || !std::isnormal(eps * eps)) eps = std::sqrt(range.low) * std::sqrt(range.high);
  // A starting value, not a measurement: sixteen digits would be misleading.
  if (const double brief = roundedTo(eps, kKneeDigits); std::isnormal(brief * brief)) eps = brief;
  range.low = std::min(range.low, eps);
  range.high = std::max(range.high, eps);
  suggestion.eps = eps;
  return suggestion;
}

Result<Suggestion> suggestEps(const PointCloud& cloud, const Space& space, const Scaling& scaling,
                              std::int64_t minPts, const Task& task) {
  if (space.isEuclidean()) return suggestEps(cloud, minPts, task);
  const auto copy = euclideanCopy(space, scaling, cloud, task);
  if (!copy) return tl::unexpected(copy.error());
  auto suggestion = suggestEps(*copy, minPts, task);
  if (!suggestion) return suggestion;
  // A little below the limit, which itself is refused.
  const double most = 0.999 * epsLimit(space, scaling);
  EpsRange& range = suggestion->range;
  range.high = std::min(range.high, most);
  range.low = std::min(range.low, range.high / 1000);
  suggestion->eps = std::min(suggestion->eps, range.high);
  return suggestion;
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
