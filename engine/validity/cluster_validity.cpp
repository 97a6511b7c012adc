#include "engine/validity/cluster_validity.h"

#include <tbb/info.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "engine/cloud/stratified_sample.h"
#include "engine/core/large_array.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/hierarchy/exact_squares.h"
#include "engine/validity/cluster_points.h"

namespace clusterloom {
namespace {

constexpr std::size_t kSmall = 4096;  // points of clusters of which each has one thread

/// A cluster of two points or more.
struct Cluster {
  std::size_t row = 0;                 ///< in Validity::clusters
  std::span<const std::uint32_t> ids;  ///< ascending
  ClusterTree tree;
  std::vector<double> innerCore;  ///< squared core distances of the tree's inner nodes
};

/// The points by label, then id; noise is left out.
LargeArray<std::uint32_t> sortedByLabel(std::span<const std::int32_t> labels) {
  LargeArray<std::uint32_t> ids;
  ids.reserve(labels.size());
  for (std::uint32_t p = 0; p < labels.size(); ++p)
    if (labels[p] >= 0) ids.push_back(p);
  tbb::parallel_sort(ids, [&](std::uint32_t a, std::uint32_t b) {
    return labels[a] != labels[b] ? labels[a] < labels[b] : a < b;
  });
  return ids;
}

std::vector<Cluster> clustersWithTrees(std::span<const std::int32_t> labels,
                                       std::span<const std::uint32_t> ids, Validity& validity) {
  std::vector<Cluster> clusters;
  for (std::size_t begin = 0; begin < ids.size();) {
    std::size_t end = begin + 1;
    while (end < ids.size() && labels[ids[end]] == labels[ids[begin]]) ++end;
    if (end - begin > 1)
      clusters.push_back({validity.clusters.size(), ids.subspan(begin, end - begin), {}, {}});
    ClusterValidity& row = validity.clusters.emplace_back();
    row.cluster = labels[ids[begin]];
    row.points = end - begin;
    begin = end;
  }
  return clusters;
}

void buildTree(const PointCloud& cloud, Cluster& cluster, SharedProgress& progress,
               const Task& task) {
  const ClusterPoints points = gather(cloud, cluster.ids);
  LargeArray<double> core(points.size());
  allPointsCore(points, core, progress, task);
  if (task.cancelled()) return;
  cluster.tree = clusterTree(points, core, progress, task);
  for (const std::uint32_t p : cluster.tree.inner) cluster.innerCore.push_back(core[p]);
}

/// Large clusters one after another by all threads, then small ones, each by one of them.
void buildTrees(const PointCloud& cloud, std::vector<Cluster>& clusters, const Task& task) {
  std::uint64_t pairs = 0;
  for (const Cluster& cluster : clusters) {
    const std::uint64_t n = cluster.ids.size();
    pairs += n * n + n * (n - 1) / 2;
  }
  SharedProgress progress(task, "building the trees of clusters", pairs);
  for (Cluster& cluster : clusters)
    if (cluster.ids.size() > kSmall && !task.cancelled()) buildTree(cloud, cluster, progress, task);
  parallelFor(clusters.size(), 1, [&](std::size_t c) {
    if (clusters[c].ids.size() <= kSmall && !task.cancelled())
      buildTree(cloud, clusters[c], progress, task);
  });
}

Result<std::vector<Separation>> separate(const PointCloud& cloud,
                                         const std::vector<Cluster>& clusters, const Task& task) {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> clusterOf;
  std::vector<double> core;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const std::uint32_t p : clusters[c].tree.inner) ids.push_back(clusters[c].ids[p]);
    clusterOf.resize(ids.size(), std::uint32_t(c));
    core.insert(core.end(), clusters[c].innerCore.begin(), clusters[c].innerCore.end());
  }
  return densitySeparations(pointsOf(cloud, ids), clusterOf, core, clusters.size(), task);
}

double validityOf(double separation, double sparseness) {
  if (separation == sparseness) return 0;
  const double larger = std::max(separation, sparseness);
  if (std::isinf(larger)) return separation > sparseness ? 1 : -1;
  return (separation - sparseness) / larger;
}

Result<Validity> validityIn(const PointCloud& cloud, std::span<const std::int32_t> labels,
                            const Task& task) {
  Validity validity;
  validity.points = labels.size();
  const LargeArray<std::uint32_t> ids = sortedByLabel(labels);
  validity.noise = labels.size() - ids.size();
  std::vector<Cluster> clusters = clustersWithTrees(labels, ids, validity);
  buildTrees(cloud, clusters, task);
  if (task.cancelled()) return cancelledError();
  std::vector<double> squares;
  for (const Cluster& cluster : clusters) squares.push_back(cluster.tree.squaredSparseness);
  if (auto fine = checkSquares(cloud, squares); !fine) return tl::unexpected(fine.error());
  for (const Cluster& cluster : clusters)
    validity.clusters[cluster.row].sparseness = std::sqrt(cluster.tree.squaredSparseness);
  if (clusters.size() < 2) return validity;

  const auto separations = separate(cloud, clusters, task);
  if (!separations) return tl::unexpected(separations.error());
  squares.clear();
  for (const Separation& found : *separations)
    if (found.nearest != Separation::kNone) squares.push_back(found.squared);
  if (auto fine = checkSquares(cloud, squares); !fine) return tl::unexpected(fine.error());
  validity.index = 0;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Separation& found = (*separations)[c];
    ClusterValidity& row = validity.clusters[clusters[c].row];
    row.separation = std::sqrt(found.squared);
    if (found.nearest != Separation::kNone)
      row.nearest = validity.clusters[clusters[found.nearest].row].cluster;
    row.validity = validityOf(row.separation, row.sparseness);
    validity.index += double(row.points) / double(validity.points) * row.validity;
  }
  return validity;
}

}  // namespace

Result<Validity> densityBasedValidity(const PointCloud& cloud, std::span<const std::int32_t> labels,
                                      int threads, const Task& task) {
  if (auto valid = validate(cloud); !valid) return tl::unexpected(valid.error());
  if (labels.size() != cloud.size())
    return badInput("There are " + std::to_string(labels.size()) + " labels for " +
                    std::to_string(cloud.size()) + " points. Give one for each point.");
  try {
    const int available = tbb::info::default_concurrency();
    tbb::task_arena arena(threads <= 0 ? available : std::min(threads, available));
    return arena.execute([&] { return validityIn(cloud, labels, task); });
  } catch (const std::bad_alloc&) {
    return tooLarge("Not enough memory for the validity. Use a smaller cloud.");
  }
}

}  // namespace clusterloom
