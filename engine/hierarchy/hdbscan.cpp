#include "engine/hierarchy/hdbscan.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {

namespace {

constexpr std::int32_t kNoCluster = -1;

bool isRoot(std::size_t cluster) { return cluster == 0; }

/// Marks the clusters that do not split, the root excepted.
std::vector<std::uint8_t> leavesOf(const CondensedTree& tree) {
  std::vector<std::uint8_t> leaf(tree.clusters.size(), 1);
  leaf[0] = 0;
  for (const CondensedCluster& cluster : tree.clusters) {
    if (cluster.parent != CondensedCluster::kNoParent) leaf[std::size_t(cluster.parent)] = 0;
  }
  return leaf;
}

/// Unmarks the clusters below another one that is marked.
void keepHighest(const CondensedTree& tree, std::vector<std::uint8_t>& marked) {
  std::vector<std::uint8_t> covered(marked.size(), 0);
  for (std::size_t i = 1; i < marked.size(); ++i) {
    const auto parent = std::size_t(tree.clusters[i].parent);
    covered[i] = covered[parent] | marked[parent];
    if (covered[i]) marked[i] = 0;
  }
}

/// The ε at which a cluster appears; of the root the largest at which a point or cluster leaves it.
double firstEps(const CondensedTree& tree, std::size_t cluster) {
  if (!isRoot(cluster)) return 1 / tree.clusters[cluster].birth;
  double least = tree.clusters[cluster].death;
  for (std::size_t p = 0; p < tree.lambda.size(); ++p)
    if (tree.clusterOf[p] == 0) least = std::min(least, tree.lambda[p]);
  for (const CondensedCluster& other : tree.clusters)
    if (other.parent == 0) least = std::min(least, other.birth);
  return 1 / least;
}

/// Marks the clusters of the largest total stability, none below another [Campello 2013, §5].
std::vector<std::uint8_t> mostStable(const CondensedTree& tree, const HdbscanOptions& options) {
  const std::size_t count = tree.clusters.size();
  std::uint64_t rootPoints = 0;  // that are in a child
  for (const CondensedCluster& cluster : tree.clusters)
    if (cluster.parent == 0) rootPoints += cluster.size;
  std::vector<std::uint8_t> best(count, 0);  // better as a whole than what lies below
  std::vector<double> below(count, 0.0);     // the largest total stability below
  for (std::size_t i = count; i-- > 0;) {
    const CondensedCluster& cluster = tree.clusters[i];
    const std::uint64_t size = isRoot(i) ? rootPoints : cluster.size;
    const bool small = options.maxClusterSize == 0 || size <= options.maxClusterSize;
    const bool allowed = !isRoot(i) || options.allowSingleCluster;
    best[i] = allowed && small && !(below[i] > cluster.stability) &&
              !(firstEps(tree, i) > options.largestEps);
    if (!isRoot(i)) below[std::size_t(cluster.parent)] += best[i] ? cluster.stability : below[i];
  }
  keepHighest(tree, best);
  return best;
}

/// Marks, for each cluster marked in `taken` and born below `options.selectionEps`, its nearest
/// ancestor born at it or above.
std::vector<std::uint8_t> bornAbove(const CondensedTree& tree, const HdbscanOptions& options,
                                    const std::vector<std::uint8_t>& taken) {
  std::vector<std::uint8_t> above(taken.size(), 0);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) continue;
    std::size_t at = i;
    if (!isRoot(at) && 1 / tree.clusters[at].birth < options.selectionEps) {
      do {
        const auto parent = std::size_t(tree.clusters[at].parent);
        if (isRoot(parent) && !options.allowSingleCluster) break;
        at = parent;
      } while (!isRoot(at) && 1 / tree.clusters[at].birth < options.selectionEps);
    }
    above[at] = 1;
  }
  keepHighest(tree, above);
  return above;
}

/// The clusters that the options take.
std::vector<std::uint8_t> takenBy(const CondensedTree& tree, const HdbscanOptions& options) {
  std::vector<std::uint8_t> taken =
      options.selection == ClusterSelection::Leaves ? leavesOf(tree) : mostStable(tree, options);
  return options.selectionEps > 0 ? bornAbove(tree, options, taken) : taken;
}

/// FlatClusters::persistence.
std::vector<double> persistenceOf(const CondensedTree& tree, const FlatClusters& flat) {
  double largest = 0;
  for (const double lambda : tree.lambda) largest = std::max(largest, lambda);
  std::vector<double> points(flat.taken.size(), 0.0);
  for (const std::int32_t label : flat.labels)
    if (label != kNoCluster) ++points[std::size_t(label)];
  std::vector<double> persistence(flat.taken.size(), 1.0);
  for (std::size_t i = 0; i < persistence.size(); ++i) {
    const auto c = std::size_t(flat.taken[i]);
    if (largest > 0 && std::isfinite(largest))
      persistence[i] = tree.clusters[c].stability / (points[i] * largest);
  }
  return persistence;
}

/// For each cluster the taken one that is it or holds it; kNoCluster where there is none.
std::vector<std::int32_t> takenAbove(const CondensedTree& tree,
                                     const std::vector<std::uint8_t>& taken) {
  std::vector<std::int32_t> above(tree.clusters.size(), kNoCluster);
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (taken[i]) {
      above[i] = std::int32_t(i);
    } else if (!isRoot(i)) {
      above[i] = above[std::size_t(tree.clusters[i].parent)];
    }
  }
  return above;
}

}  // namespace

const char* toText(ClusterSelection selection) {
  return selection == ClusterSelection::Leaves ? "leaves" : "eom";
}

FlatClusters takeClusters(const CondensedTree& tree, const HdbscanOptions& options) {
  const std::vector<std::int32_t> above = takenAbove(tree, takenBy(tree, options));

  const std::size_t points = tree.clusterOf.size();
  FlatClusters flat;
  flat.labels.assign(points, kNoCluster);
  flat.probabilities.assign(points, 0.0);
  std::vector<std::int32_t> number(tree.clusters.size(), kNoCluster);
  for (std::size_t p = 0; p < points; ++p) {
    const std::int32_t cluster = above[std::size_t(tree.clusterOf[p])];
    if (cluster == kNoCluster) continue;
    const auto c = std::size_t(cluster);
    const double last = tree.clusters[c].death;
    // The root holds every point, so only those that stay to its end are its cluster.
    const double least = options.selectionEps > 0 ? 1 / options.selectionEps : last;
    if (isRoot(c) && tree.lambda[p] < least) continue;
    if (number[c] == kNoCluster) {
      number[c] = std::int32_t(flat.taken.size());
      flat.taken.push_back(cluster);
      flat.densest.push_back(std::uint32_t(p));
    }
    flat.labels[p] = number[c];
    std::uint32_t& densest = flat.densest[std::size_t(number[c])];
    if (tree.lambda[p] > tree.lambda[densest]) densest = std::uint32_t(p);
    flat.probabilities[p] = tree.lambda[p] >= last ? 1.0 : tree.lambda[p] / last;
  }
  flat.persistence = persistenceOf(tree, flat);
  return flat;
}

Clustering asClustering(const FlatClusters& flat, const DbscanParams& params) {
  Clustering clustering;
  clustering.params = params;
  clustering.labels = flat.labels;
  clustering.clusters = std::int32_t(flat.taken.size());
  clustering.noiseCount = std::uint64_t(std::count(flat.labels.begin(), flat.labels.end(), kNoise));
  clustering.stats.backend = "hierarchy";
  return clustering;
}

}  // namespace clusterloom
