#include "engine/validity/resampling.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>

#include "engine/cloud/random_stream.h"
#include "engine/cloud/stratified_sample.h"

namespace clusterloom {
namespace {

/// The clusters of labels, by label, with their points.
std::vector<ClusterStability> clustersOf(std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> sorted(labels.begin(), labels.end());
  tbb::parallel_sort(sorted);
  std::vector<ClusterStability> clusters;
  for (const std::int32_t label : sorted) {
    if (label < 0) continue;
    if (clusters.empty() || clusters.back().cluster != label) {
      clusters.emplace_back().cluster = label;
      clusters.back().jaccard = 0;
    }
    ++clusters.back().points;
  }
  return clusters;
}

/// For each label its place among the clusters, or −1 for noise.
std::vector<std::int32_t> placesOf(std::span<const std::int32_t> labels,
                                   const std::vector<ClusterStability>& clusters) {
  std::vector<std::int32_t> places;
  places.reserve(labels.size());
  for (const std::int32_t label : labels) {
    const auto at = std::lower_bound(
        clusters.begin(), clusters.end(), label,
        [](const ClusterStability& row, std::int32_t wanted) { return row.cluster < wanted; });
    places.push_back(label < 0 ? label : std::int32_t(at - clusters.begin()));
  }
  return places;
}

/// Adds the overlaps with the clusters of a sample.
void add(const std::vector<Overlap>& overlaps, std::vector<ClusterStability>& clusters) {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (overlaps[c].points == 0) continue;
    ++clusters[c].samples;
    clusters[c].jaccard += overlaps[c].jaccard;
    if (overlaps[c].jaccard >= kFoundAgain) ++clusters[c].found;
  }
}

}  // namespace

std::int64_t minPtsOfSample(std::int64_t minPts, double share) {
  return 1 + std::llround(share * double(minPts - 1));
}

std::size_t pointsOfSample(std::size_t points, double share) {
  return std::max<std::size_t>(1, std::size_t(share * double(points)));
}

Result<void> checkResampling(const PointCloud& cloud, const ResamplingOptions& options) {
  if (auto valid = validate(cloud); !valid) return valid;
  if (options.resamples < 1) return badCall("Resampling needs one sample or more.");
  if (!(options.share > 0 && options.share < 1))
    return badCall("The share of points in a sample must be above 0 and below 1, not " +
                   std::to_string(options.share) + ".");
  return {};
}

Result<std::vector<ClusterStability>> stabilityByResampling(const PointCloud& cloud,
                                                            std::span<const std::int32_t> labels,
                                                            const ResamplingOptions& options,
                                                            const LabelSample& label,
                                                            const Task& task) {
  if (auto fine = checkResampling(cloud, options); !fine) return tl::unexpected(fine.error());
  if (labels.size() != cloud.size())
    return badInput("There are " + std::to_string(labels.size()) + " labels for " +
                    std::to_string(cloud.size()) + " points. Give one for each point.");
  try {
    std::vector<ClusterStability> clusters = clustersOf(labels);
    const std::vector<std::int32_t> places = placesOf(labels, clusters);
    const std::size_t wanted = pointsOfSample(cloud.size(), options.share);
    const Task ofSample{task.stop, {}};  // one stage for all samples
    for (std::uint32_t sample = 0; sample < options.resamples; ++sample) {
      if (task.cancelled()) return cancelledError();
      task.report("resampling", double(sample) / options.resamples);
      const std::vector<std::uint32_t> ids = drawSample(cloud.size(), wanted, options.seed, sample);
      const auto found = label(pointsOf(cloud, ids), ofSample);
      if (!found) return tl::unexpected(found.error());
      std::vector<std::int32_t> given;
      given.reserve(ids.size());
      for (const std::uint32_t p : ids) given.push_back(places[p]);
      add(overlapsOf(given, clusters.size(), *found), clusters);
    }
    for (ClusterStability& cluster : clusters) cluster.jaccard /= cluster.samples;  // 0 / 0: NaN
    return clusters;
  } catch (const std::bad_alloc&) {
    return tooLarge("Not enough memory for a sample. Use a smaller share.");
  }
}

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

std::vector<Overlap> overlapsOf(std::span<const std::int32_t> given, std::size_t clusters,
                                std::span<const std::int32_t> found) {
  std::vector<Overlap> overlaps(clusters);
  std::vector<std::uint32_t> sizes;  // of the clusters found
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] >= 0) ++overlaps[std::size_t(given[i])].points;
    if (found[i] < 0) continue;
    if (std::size_t(found[i]) >= sizes.size()) sizes.resize(std::size_t(found[i]) + 1);
    ++sizes[std::size_t(found[i])];
  }
  // The labels found for the points of each given cluster, one cluster after another.
  std::vector<std::size_t> ends(clusters);
  std::size_t all = 0;
  for (std::size_t c = 0; c < clusters; ++c) {
    ends[c] = all;
    all += overlaps[c].points;
  }
  std::vector<std::int32_t> labels(all);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i] >= 0) labels[ends[std::size_t(given[i])]++] = found[i];
  std::vector<std::uint32_t> shared(sizes.size());
  for (std::size_t c = 0, begin = 0; c < clusters; begin = ends[c++]) {
    const std::span<const std::int32_t> own(labels.data() + begin, ends[c] - begin);
    for (const std::int32_t label : own)
      if (label >= 0) ++shared[std::size_t(label)];
    for (const std::int32_t label : own) {
      if (label < 0 || shared[std::size_t(label)] == 0) continue;
      const double both = std::exchange(shared[std::size_t(label)], 0);
      const double either = double(own.size()) + sizes[std::size_t(label)] - both;
      overlaps[c].jaccard = std::max(overlaps[c].jaccard, both / either);
    }
  }
  return overlaps;
}

}  // namespace clusterloom
