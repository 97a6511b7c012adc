#include "engine/validity/stability_over_eps.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/cloud/stratified_sample.h"
#include "engine/core/parallel_for.h"
#include "engine/core/predicate.h"
#include "engine/hierarchy/hierarchy_builder.h"

namespace clusterloom {
namespace {

constexpr double kTail = 0.1;  // of the samples, below the band and above it

/// Of ascending values: that which a share of them is below, between two of them by proportion.
double quantile(const std::vector<double>& values, double share) {
  const double at = share * double(values.size() - 1);
  const auto below = std::size_t(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - double(below)) * (values[above] - values[below]);
}

StabilityAt summed(double eps, std::vector<double> found) {
  StabilityAt result{.eps = eps};
  std::erase_if(found, [](double value) { return std::isnan(value); });
  if (found.empty()) return result;
  result.mean = std::accumulate(found.begin(), found.end(), 0.0) / double(found.size());
  std::sort(found.begin(), found.end());
  result.low = quantile(found, kTail);
  result.high = quantile(found, 1 - kTail);
  return result;
}

class Samples {
 public:
  Samples(const PointCloud& cloud, const Hierarchy& hierarchy, std::span<const double> eps,
          const ResamplingOptions& options, const Task& task)
      : cloud_(cloud), hierarchy_(hierarchy), eps_(eps), options_(options), task_(task) {
    found_.resize(eps.size(), std::vector<double>(options.resamples));
  }

  Result<void> take(std::uint32_t sample, HierarchyOptions how) {
    task_.report("resampling", double(sample) / options_.resamples);
    const std::vector<std::uint32_t> ids = drawSample(
        cloud_.size(), pointsOfSample(cloud_.size(), options_.share), options_.seed, sample);
    how.minPts = minPtsOfSample(hierarchy_.minPts(), options_.share);
    const auto built = Hierarchy::build(pointsOf(cloud_, ids), how, {task_.stop, {}});
    if (!built) return tl::unexpected(built.error());
    parallelFor(eps_.size(), 1, [&](std::size_t i) {
      // A thread that waits for the labels of an ε must not begin another one, with labels of its
      // own.
      tbb::this_task_arena::isolate([&] { found_[i][sample] = meanOverlap(*built, ids, eps_[i]); });
    });
    if (task_.cancelled()) return cancelledError();
    return {};
  }

  std::vector<StabilityAt> result() && {
    std::vector<StabilityAt> all;
    for (std::size_t i = 0; i < eps_.size(); ++i)
      all.push_back(summed(eps_[i], std::move(found_[i])));
    return all;
  }

 private:
  /// NaN where no point of the sample is in a cluster, and after a stop.
  double meanOverlap(const Hierarchy& built, const std::vector<std::uint32_t>& ids,
                     double eps) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (task_.cancelled()) return kNone;
    std::vector<std::int32_t> given(ids.size());
    std::size_t clusters = 0;
    {
      const auto whole = hierarchy_.labels(eps);
      if (!whole || task_.cancelled()) return kNone;
      clusters = std::size_t(whole->clusters);
      std::transform(ids.begin(), ids.end(), given.begin(),
                     [&](std::uint32_t p) { return whole->labels[p]; });
    }
    const auto found = built.labels(eps);
    if (!found || task_.cancelled()) return kNone;
    double sum = 0;
    double points = 0;
    for (const Overlap& overlap : overlapsOf(given, clusters, found->labels)) {
      sum += overlap.points * overlap.jaccard;
      points += overlap.points;
    }
    return sum / points;  // 0 / 0: NaN
  }

  const PointCloud& cloud_;
  const Hierarchy& hierarchy_;
  std::span<const double> eps_;
  const ResamplingOptions& options_;
  const Task& task_;
  std::vector<std::vector<double>> found_;  ///< of each ε, by sample
};

}  // namespace

Result<std::vector<StabilityAt>> stabilityOverEps(const PointCloud& cloud,
                                                  const Hierarchy& hierarchy,
                                                  std::span<const double> eps,
                                                  const ResamplingOptions& options,
                                                  const HierarchyOptions& how, const Task& task) {
  if (hierarchy.points() != cloud.size())
    return badInput("The hierarchy is one of " + std::to_string(hierarchy.points()) +
                    " points, and the cloud has " + std::to_string(cloud.size()) + ".");
  if (auto fine = checkResampling(cloud, options); !fine) return tl::unexpected(fine.error());
  for (const double value : eps)
    if (auto fine = epsSquared(value); !fine) return tl::unexpected(fine.error());
  return HierarchyBuilder::onArena(how.threads, [&]() -> Result<std::vector<StabilityAt>> {
    Samples samples(cloud, hierarchy, eps, options, task);
    for (std::uint32_t sample = 0; sample < options.resamples; ++sample)
      if (auto taken = samples.take(sample, how); !taken) return tl::unexpected(taken.error());
    return std::move(samples).result();
  });
}

}  // namespace clusterloom
