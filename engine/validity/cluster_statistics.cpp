#include "engine/validity/cluster_statistics.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/infinity.h"
#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPointsPerLook = 1 << 16;

/// Sizes and roles. Labels and roles have been checked.
void countMembers(const Clustering& clustering, std::vector<ClusterStatistics>& clusters) {
  for (std::size_t p = 0; p < clustering.labels.size(); ++p) {
    if (clustering.labels[p] < 0) continue;
    ClusterStatistics& cluster = clusters[std::size_t(clustering.labels[p])];
    ++cluster.size;
    if (!clustering.roles.empty() && clustering.roles[p] == PointRole::Core) ++cluster.core;
  }
  if (clustering.roles.empty()) return;
  for (ClusterStatistics& cluster : clusters) cluster.border = cluster.size - cluster.core;
}

/// Bounds and centroids in dimension j. Running means neither overflow nor lose the digits of
/// coordinates far from the origin, as sums would; one pass in point order keeps the result the
/// same for any number of threads.
template <class Values>
void measureDimension(const Values& column, const Clustering& clustering, std::size_t j,
                      std::vector<ClusterStatistics>& clusters, const Task& task,
                      SharedProgress& progress) {
  struct Extent {
    double low = kInfinity;
    double high = -kInfinity;
    double mean = 0;
    double count = 0;
  };
  std::vector<Extent> extents(clusters.size());
  const std::size_t n = clustering.labels.size();
  for (std::size_t begin = 0; begin < n; begin += kPointsPerLook) {
    if (task.cancelled()) return;
    const std::size_t end = std::min(n, begin + kPointsPerLook);
    for (std::size_t p = begin; p < end; ++p) {
      if (clustering.labels[p] < 0) continue;
      Extent& extent = extents[std::size_t(clustering.labels[p])];
      const double x = column[p];
      extent.low = std::min(extent.low, x);
      extent.high = std::max(extent.high, x);
      extent.count += 1;
      extent.mean += (x - extent.mean) / extent.count;
    }
    progress.add(end - begin);
  }
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (extents[c].count == 0) {
      clusters[c].low[j] = clusters[c].high[j] = clusters[c].centroid[j] =
          std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    clusters[c].low[j] = extents[c].low;
    clusters[c].high[j] = extents[c].high;
    // Rounding may put a mean slightly outside the box.
    clusters[c].centroid[j] = std::clamp(extents[c].mean, extents[c].low, extents[c].high);
  }
}

double densityOf(const ClusterStatistics& cluster) {
  if (cluster.size == 0) return 0;
  long double volume = 1;
  bool flat = true;
  for (std::size_t j = 0; j < cluster.low.size(); ++j) {
    const double extent = cluster.high[j] - cluster.low[j];
    if (extent > 0) {
      volume *= static_cast<long double>(extent);
      flat = false;
    }
  }
  if (flat) return kInfinity;
  return double(static_cast<long double>(cluster.size) / volume);
}

/// The nearest centroid of each of C clusters is found in about C·log C steps in few
/// dimensions, but needs up to C² distances in many. Beyond this many coordinates to compare it is
/// not sought.
constexpr double kMostComparisons = 1e11;
constexpr std::size_t kFewDims = 8;

bool nearestIsAffordable(std::size_t clusters, std::size_t dims) {
  const double c = double(clusters);
  return dims <= kFewDims || c * c * double(dims) <= kMostComparisons;
}

/// Fills nearest and nearestDistance.
Result<void> findNearest(std::vector<ClusterStatistics>& clusters, std::size_t dims,
                         const Task& task) {
  std::vector<std::uint32_t> withPoints;
  for (std::size_t c = 0; c < clusters.size(); ++c)
    if (clusters[c].size > 0) withPoints.push_back(std::uint32_t(c));
  if (withPoints.size() < 2) return {};
  PointCloud centroids;
  centroids.columns.assign(dims, {});
  for (std::size_t j = 0; j < dims; ++j)
    for (const std::uint32_t c : withPoints)
      centroids.columns[j].push_back(clusters[c].centroid[j]);
  const auto found = nearestNeighbours(centroids, 2, tbb::this_task_arena::max_concurrency(), task);
  if (!found) return tl::unexpected(found.error());
  for (std::size_t i = 0; i < withPoints.size(); ++i) {
    const double squared = found->squaredDistancesOf(i)[1];
    if (std::isinf(squared)) continue;
    ClusterStatistics& cluster = clusters[withPoints[i]];
    cluster.nearest = std::int32_t(withPoints[found->idsOf(i)[1]]);
    cluster.nearestDistance = std::sqrt(squared);
  }
  return {};
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return percentText(double(part) / double(whole));
}

/// Warnings about the parameters, for the user.
std::vector<std::string> redFlagsOf(const Clustering& clustering,
                                    const std::vector<ClusterStatistics>& clusters) {
  const std::uint64_t n = clustering.labels.size();
  std::vector<std::string> flags;
  if (!clustering.roles.empty() && clustering.coreCount == 0) {
    flags.push_back(
        "No point is core, so there are no clusters: ε is too small or minPts too large.");
    return flags;
  }
  if (clustering.params.minPts == 1 && clustering.clusters > 1) {
    flags.push_back("With minPts 1 every point is core and there is no noise.");
  } else if (!clustering.roles.empty() && clustering.coreCount * 100 < n) {
    flags.push_back("Almost no point is core (" + percent(clustering.coreCount, n) +
                    "): ε may be too small or minPts too large.");
  } else if (clustering.noiseCount * 2 > n) {
    flags.push_back("More than half of the points are noise (" + percent(clustering.noiseCount, n) +
                    "): ε may be too small or minPts too large.");
  }
  std::uint64_t largest = 0;
  for (const ClusterStatistics& cluster : clusters) largest = std::max(largest, cluster.size);
  if (n > 1 && largest * 20 >= n * 19) {
    flags.push_back("Almost every point is in one cluster (" + percent(largest, n) +
                    "): ε may be too large.");
  }
  if (clusters.size() > 10 && clusters.size() * 10 > n) {
    flags.push_back("There are " + groupedText(clusters.size()) +
                    " clusters, fewer than 10 points each on average: minPts may be too small.");
  }
  return flags;
}

Result<void> checkClustering(const PointCloud& cloud, const Clustering& clustering) {
  if (clustering.labels.size() != cloud.size() ||
      (!clustering.roles.empty() && clustering.roles.size() != cloud.size())) {
    return badCall("the clustering has " + std::to_string(clustering.labels.size()) +
                   " labels, the cloud " + std::to_string(cloud.size()) + " points");
  }
  for (const std::int32_t label : clustering.labels) {
    if (label >= clustering.clusters) {
      return badCall("label " + std::to_string(label) + " is no cluster");
    }
  }
  return {};
}

}  // namespace

Result<ClusteringStatistics> statisticsOf(const PointCloud& cloud, const Clustering& clustering,
                                          const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  if (auto valid = checkClustering(cloud, clustering); !valid) {
    return tl::unexpected(valid.error());
  }
  ClusteringStatistics result;
  result.clusters.resize(std::size_t(clustering.clusters));
  for (std::size_t c = 0; c < result.clusters.size(); ++c) {
    if (c % kPointsPerLook == 0 && task.cancelled()) return cancelledError();
    ClusterStatistics& cluster = result.clusters[c];
    cluster.label = std::int32_t(c);
    cluster.low.resize(cloud.dims());
    cluster.high.resize(cloud.dims());
    cluster.centroid.resize(cloud.dims());
  }
  countMembers(clustering, result.clusters);
  {
    SharedProgress progress(task, "measuring clusters", cloud.size() * cloud.dims());
    parallelFor(cloud.dims(), 1, [&](std::size_t j) {
      if (task.cancelled()) return;
      withValues(cloud.columns[j], [&](const auto& x) {
        measureDimension(x, clustering, j, result.clusters, task, progress);
      });
    });
  }
  if (task.cancelled()) return cancelledError();
  for (ClusterStatistics& cluster : result.clusters) cluster.density = densityOf(cluster);
  result.redFlags = redFlagsOf(clustering, result.clusters);
  if (result.clusters.size() > 1) {
    if (!nearestIsAffordable(result.clusters.size(), cloud.dims())) {
      result.redFlags.push_back(
          "There are too many clusters in too many dimensions to find the "
          "nearest cluster of each.");
    } else if (auto found = findNearest(result.clusters, cloud.dims(), task); !found) {
      return tl::unexpected(found.error());
    }
  }
  return result;
}

}  // namespace clusterloom
