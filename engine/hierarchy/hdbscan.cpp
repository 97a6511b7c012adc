#include "engine/hierarchy/hdbscan.h"

#include <algorithm>

namespace clusterloom {
namespace {

constexpr std::int32_t kNoCluster = -1;

bool isRoot(std::size_t cluster) { return cluster == 0; }

/// Marks the clusters that do not split, the root excepted.
std::vector<std::uint8_t> leavesOf(const CondensedTree& tree) {
  std::vector<std::uint8_t> leaf(tree.clusters.size(), 1);
  leaf[0] = 0;
  for (const CondensedCluster& cluster : tree.clusters) {
    if (cluster.parent != CondensedCluster::kNoParent)
      leaf[static_cast<std::size_t>(cluster.parent)] = 0;
  }
  return leaf;
}

/// Marks the clusters of the largest total stability, none below another [Campello 2013, §5].
std::vector<std::uint8_t> mostStable(const CondensedTree& tree, bool rootMay) {
  const std::size_t count = tree.clusters.size();
  std::vector<std::uint8_t> best(count, 0);  // better as a whole than what lies below
  std::vector<double> below(count, 0.0);     // the largest total stability below
  for (std::size_t i = count; i-- > 0;) {
    const CondensedCluster& cluster = tree.clusters[i];
    best[i] = (!isRoot(i) || rootMay) && !(below[i] > cluster.stability);
    if (!isRoot(i))
      below[static_cast<std::size_t>(cluster.parent)] += best[i] ? cluster.stability : below[i];
  }
  std::vector<std::uint8_t> covered(count, 0);  // below a cluster that is taken
  for (std::size_t i = 1; i < count; ++i) {
    const auto parent = static_cast<std::size_t>(tree.clusters[i].parent);
    covered[i] = covered[parent] | best[parent];
    if (covered[i]) best[i] = 0;
  }
  return best;
}

/// For each cluster the taken one that is it or holds it; kNoCluster where there is none.
std::vector<std::int32_t> takenAbove(const CondensedTree& tree,
                                     const std::vector<std::uint8_t>& taken) {
  std::vector<std::int32_t> above(tree.clusters.size(), kNoCluster);
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (taken[i]) {
      above[i] = static_cast<std::int32_t>(i);
    } else if (!isRoot(i)) {
      above[i] = above[static_cast<std::size_t>(tree.clusters[i].parent)];
    }
  }
  return above;
}

}  // namespace

const char* toText(ClusterSelection selection) {
  return selection == ClusterSelection::Leaves ? "leaves" : "eom";
}

FlatClusters takeClusters(const CondensedTree& tree, const HdbscanOptions& options) {
  const std::vector<std::uint8_t> taken = options.selection == ClusterSelection::Leaves
                                              ? leavesOf(tree)
                                              : mostStable(tree, options.allowSingleCluster);
  const std::vector<std::int32_t> above = takenAbove(tree, taken);

  const std::size_t points = tree.clusterOf.size();
  FlatClusters flat;
  flat.labels.assign(points, kNoCluster);
  flat.probabilities.assign(points, 0.0);
  std::vector<std::int32_t> number(tree.clusters.size(), kNoCluster);
  for (std::size_t p = 0; p < points; ++p) {
    const std::int32_t cluster = above[static_cast<std::size_t>(tree.clusterOf[p])];
    if (cluster == kNoCluster) continue;
    const auto c = static_cast<std::size_t>(cluster);
    const double last = tree.clusters[c].death;
    // The root holds every point, so only those that stay to its end are its cluster.
    if (isRoot(c) && tree.lambda[p] < last) continue;
    if (number[c] == kNoCluster) {
      number[c] = static_cast<std::int32_t>(flat.taken.size());
      flat.taken.push_back(cluster);
      flat.densest.push_back(static_cast<std::uint32_t>(p));
    }
    flat.labels[p] = number[c];
    std::uint32_t& densest = flat.densest[static_cast<std::size_t>(number[c])];
    if (tree.lambda[p] > tree.lambda[densest]) densest = static_cast<std::uint32_t>(p);
    flat.probabilities[p] = tree.lambda[p] >= last ? 1.0 : tree.lambda[p] / last;
  }
  return flat;
}

}  // namespace clusterloom
