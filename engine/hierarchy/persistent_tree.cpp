#include "engine/hierarchy/persistent_tree.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace clusterloom {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Where the points of a cluster go: to a cluster above or to itself, at a λ of at most `limit`.
struct Target {
  std::size_t cluster;
  double limit = kNoLimit;
};

std::size_t parentOf(const CondensedTree& tree, std::size_t cluster) {
  return std::size_t(tree.clusters[cluster].parent);
}

/// For each cluster the clusters into which it splits.
std::vector<std::vector<std::size_t>> splitsOf(const CondensedTree& tree) {
  std::vector<std::vector<std::size_t>> parts(tree.clusters.size());
  for (std::size_t c = 1; c < parts.size(); ++c) parts[parentOf(tree, c)].push_back(c);
  return parts;
}

/// For each cluster the largest λ in or below it.
std::vector<double> lastLambdas(const CondensedTree& tree) {
  std::vector<double> ends;
  for (const CondensedCluster& cluster : tree.clusters) ends.push_back(cluster.death);
  for (std::size_t c = ends.size(); c-- > 1;) {
    double& above = ends[parentOf(tree, c)];
    above = std::max(above, ends[c]);
  }
  return ends;
}

std::vector<Target> targetsOf(const CondensedTree& tree, double persistence) {
  const std::vector<double> ends = lastLambdas(tree);
  auto parts = splitsOf(tree);
  std::vector<Target> targets;
  for (std::size_t c = 0; c < parts.size(); ++c) targets.push_back({c});
  const auto persists = [&](std::size_t c) {
    return ends[c] - tree.clusters[c].birth >= persistence;
  };
  for (std::size_t c = parts.size(); c-- > 0;) {
    if (parts[c].empty()) continue;
    const auto densest = *std::max_element(parts[c].begin(), parts[c].end(),
                                           [&](auto a, auto b) { return ends[a] < ends[b]; });
    const bool splits = std::count_if(parts[c].begin(), parts[c].end(), persists) > 1;
    const bool keepsAll = !splits && parts[densest].empty();
    std::vector<std::size_t> next = splits ? std::vector<std::size_t>() : parts[densest];
    for (const std::size_t part : parts[c]) {
      if (splits && persists(part)) {
        next.push_back(part);
      } else {
        const bool follows = keepsAll || (!splits && part == densest);
        targets[part] = {c, follows ? kNoLimit : tree.clusters[part].birth};
      }
    }
    parts[c] = std::move(next);
  }
  for (Target& target : targets) {  // parents come first
    const Target& above = targets[target.cluster];
    target = {above.cluster, std::min(target.limit, above.limit)};
  }
  return targets;
}

/// Adds `count` points or a cluster of as many that leave `cluster` at `lambda`.
void leave(CondensedCluster& cluster, double lambda, std::uint32_t count) {
  cluster.stability += (lambda - cluster.birth) * count;
  cluster.death = std::max(cluster.death, lambda);
}

}  // namespace

CondensedTree persistentTree(CondensedTree tree, double persistence) {
  const std::vector<Target> targets = targetsOf(tree, persistence);
  std::vector<CondensedCluster> kept;
  std::vector<std::int32_t> number(targets.size());
  for (std::size_t c = 0; c < targets.size(); ++c) {
    if (targets[c].cluster != c) continue;
    number[c] = std::int32_t(kept.size());
    CondensedCluster cluster = tree.clusters[c];
    cluster.death = cluster.birth;
    cluster.stability = 0;
    if (cluster.parent != CondensedCluster::kNoParent) {
      cluster.parent = number[targets[parentOf(tree, c)].cluster];
      leave(kept[std::size_t(cluster.parent)], cluster.birth, cluster.size);
    }
    kept.push_back(cluster);
  }
  tree.clusters = std::move(kept);
  for (std::size_t p = 0; p < tree.clusterOf.size(); ++p) {
    const Target& target = targets[std::size_t(tree.clusterOf[p])];
    tree.clusterOf[p] = number[target.cluster];
    tree.lambda[p] = std::min(tree.lambda[p], target.limit);
    leave(tree.clusters[std::size_t(tree.clusterOf[p])], tree.lambda[p], 1);
  }
  return tree;
}

}  // namespace clusterloom
