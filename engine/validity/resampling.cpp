#include "engine/validity/resampling.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "engine/cloud/random_stream.h"
#include "engine/cloud/stratified_sample.h"

namespace clusterloom {
namespace {

/// `wanted` of n ids, ascending; every such set is as likely (Knuth, selection sampling).
std::vector<std::uint32_t> drawSample(std::size_t n, std::size_t wanted, std::uint64_t seed,
                                      std::uint64_t stream) {
  RandomStream random(seed, stream);
  std::vector<std::uint32_t> ids;
  ids.reserve(wanted);
  for (std::size_t p = 0; ids.size() < wanted; ++p)
    if (random.uniform() * double(n - p) < double(wanted - ids.size()))
      ids.push_back(std::uint32_t(p));
  return ids;
}

std::size_t countOf(const std::vector<std::int32_t>& sorted, std::int32_t label) {
  const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), label);
  return std::size_t(end - begin);
}

std::vector<std::int32_t> sorted(std::vector<std::int32_t> labels) {
  tbb::parallel_sort(labels);
  return labels;
}

/// The clusters of labels, by label, with their points.
std::vector<ClusterStability> clustersOf(std::span<const std::int32_t> labels) {
  std::vector<ClusterStability> clusters;
  for (const std::int32_t label : sorted({labels.begin(), labels.end()})) {
    if (label < 0) continue;
    if (clusters.empty() || clusters.back().cluster != label) {
      clusters.emplace_back().cluster = label;
      clusters.back().jaccard = 0;
    }
    ++clusters.back().points;
  }
  return clusters;
}

/// Adds the Jaccard indices of one sample, with the labels given and found of its points, to the
/// sums of the clusters.
void compare(const std::vector<std::int32_t>& given, const std::vector<std::int32_t>& found,
             std::vector<ClusterStability>& clusters) {
  std::vector<std::uint64_t> both;  // given, then found
  both.reserve(given.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i] >= 0 && found[i] >= 0)
      both.push_back(std::uint64_t{std::uint32_t(given[i])} << 32 | std::uint32_t(found[i]));
  tbb::parallel_sort(both);
  const std::vector<std::int32_t> sortedGiven = sorted(given);
  const std::vector<std::int32_t> sortedFound = sorted(found);
  std::size_t at = 0;
  for (ClusterStability& cluster : clusters) {
    const std::size_t here = countOf(sortedGiven, cluster.cluster);
    if (here == 0) continue;
    double best = 0;
    const auto label = std::uint32_t(cluster.cluster);
    while (at < both.size() && both[at] >> 32 == label) {
      const std::size_t begin = at;
      while (at < both.size() && both[at] == both[begin]) ++at;
      const std::size_t shared = at - begin;
      const std::size_t there = countOf(sortedFound, std::int32_t(both[begin] & 0xffffffffU));
      best = std::max(best, double(shared) / double(here + there - shared));
    }
    ++cluster.samples;
    cluster.jaccard += best;
    if (best >= kFoundAgain) ++cluster.found;
  }
}

Result<void> checkResampling(const PointCloud& cloud, std::span<const std::int32_t> labels,
                             const ResamplingOptions& options) {
  if (auto valid = validate(cloud); !valid) return valid;
  if (labels.size() != cloud.size())
    return badInput("There are " + std::to_string(labels.size()) + " labels for " +
                    std::to_string(cloud.size()) + " points. Give one for each point.");
  if (options.resamples < 1) return badCall("Resampling needs one sample or more.");
  if (!(options.share > 0 && options.share < 1))
    return badCall("The share of points in a sample must be above 0 and below 1, not " +
                   std::to_string(options.share) + ".");
  return {};
}

}  // namespace

std::int64_t minPtsOfSample(std::int64_t minPts, double share) {
  return 1 + std::llround(share * double(minPts - 1));
}

Result<std::vector<ClusterStability>> stabilityByResampling(const PointCloud& cloud,
                                                            std::span<const std::int32_t> labels,
                                                            const ResamplingOptions& options,
                                                            const LabelSample& label,
                                                            const Task& task) {
  if (auto fine = checkResampling(cloud, labels, options); !fine)
    return tl::unexpected(fine.error());
  try {
    std::vector<ClusterStability> clusters = clustersOf(labels);
    const std::size_t wanted =
        std::max<std::size_t>(1, std::size_t(options.share * double(cloud.size())));
    const Task ofSample{task.stop, {}};  // one stage for all samples
    for (std::uint32_t sample = 0; sample < options.resamples; ++sample) {
      if (task.cancelled()) return cancelledError();
      task.report("resampling", double(sample) / options.resamples);
      const std::vector<std::uint32_t> ids = drawSample(cloud.size(), wanted, options.seed, sample);
      const auto found = label(pointsOf(cloud, ids), ofSample);
      if (!found) return tl::unexpected(found.error());
      std::vector<std::int32_t> given;
      given.reserve(ids.size());
      for (const std::uint32_t p : ids) given.push_back(labels[p]);
      compare(given, *found, clusters);
    }
    for (ClusterStability& cluster : clusters) cluster.jaccard /= cluster.samples;  // 0 / 0: NaN
    return clusters;
  } catch (const std::bad_alloc&) {
    return tooLarge("Not enough memory for a sample. Use a smaller share.");
  }
}

}  // namespace clusterloom
