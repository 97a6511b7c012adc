#include "engine/validity/cluster_points.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "engine/core/infinity.h"
#include "engine/core/large_array.h"
#include "engine/core/parallel_for.h"
#include "engine/core/shared_progress.h"
#include "engine/hierarchy/leaf_tree.h"

namespace clusterloom {
namespace {

constexpr const char* kStage = "separating the clusters";

class Search {
 public:
  Search(const LeafTree& tree, std::span<const std::uint32_t> clusterOf,
         std::span<const double> squaredCore, std::size_t clusters, const Task& task)
      : tree_(tree),
        clusterOf_(clusterOf),
        core_(squaredCore),
        task_(task),
        nodes_(tree.nodes()),
        found_(clusters, Separation{kInfinity, Separation::kNone}) {
    summarize(0, 0, tree.leaves);
  }

  std::vector<Separation> run() {
    SharedProgress progress(task_, kStage, tree_.leaves);
    parallelForBlocks<std::uint32_t>(tree_.leaves, 4, [&](std::uint32_t begin, std::uint32_t end) {
      std::vector<double> at(tree_.dims);
      for (std::uint32_t leaf = begin; leaf < end; ++leaf) searchFrom(leaf, at);
      progress.add(end - begin);
    });
    return std::move(found_);
  }

 private:
  struct Node {
    double leastCore = kInfinity;
    std::uint32_t lowest = ~std::uint32_t{0};  ///< of the clusters of its points
    std::uint32_t highest = 0;
  };
  struct Query {
    const double* at;
    double core;
    std::uint32_t cluster;
  };

  std::uint32_t inLeaf(std::uint32_t leaf) const {
    return std::uint32_t(
        std::min<std::size_t>(kLeafSize, tree_.points - std::size_t{leaf} * kLeafSize));
  }

  void summarize(std::size_t node, std::uint32_t begin, std::uint32_t leaves) {
    Node& here = nodes_[node];
    if (leaves == 1) {
      for (std::uint32_t i = 0; i < inLeaf(begin); ++i) {
        const std::uint32_t id = tree_.idsOf(begin)[i];
        here.leastCore = std::min(here.leastCore, core_[id]);
        here.lowest = std::min(here.lowest, clusterOf_[id]);
        here.highest = std::max(here.highest, clusterOf_[id]);
      }
      return;
    }
    const std::uint32_t left = (leaves + 1) / 2;
    summarize(node + 1, begin, left);
    summarize(node + 2 * std::size_t{left}, begin + left, leaves - left);
    for (const Node& child : {nodes_[node + 1], nodes_[node + 2 * std::size_t{left}]}) {
      here.leastCore = std::min(here.leastCore, child.leastCore);
      here.lowest = std::min(here.lowest, child.lowest);
      here.highest = std::max(here.highest, child.highest);
    }
  }

  /// Whether a pair of this weight and cluster could replace the best pair of a cluster.
  bool couldReplace(std::uint32_t cluster, double weight, std::uint32_t other) {
    Separation& best = found_[cluster];
    const double now = std::atomic_ref<double>(best.squared).load(std::memory_order_acquire);
    if (weight != now) return weight < now;
    return other < std::atomic_ref<std::uint32_t>(best.nearest).load(std::memory_order_relaxed);
  }

  void offer(std::uint32_t cluster, double weight, std::uint32_t other) {
    if (!couldReplace(cluster, weight, other)) return;
    const std::lock_guard<std::mutex> lock(replacing_);
    Separation& best = found_[cluster];
    if (weight > best.squared || (weight == best.squared && other >= best.nearest)) return;
    // In this order: a thread that sees the new weight must not compare with the earlier cluster.
    std::atomic_ref<std::uint32_t>(best.nearest).store(other, std::memory_order_relaxed);
    std::atomic_ref<double>(best.squared).store(weight, std::memory_order_release);
  }

  void searchFrom(std::uint32_t leaf, std::vector<double>& at) {
    for (std::uint32_t i = 0; i < inLeaf(leaf) && !task_.cancelled(); ++i) {
      const std::uint32_t id = tree_.idsOf(leaf)[i];
      for (std::size_t j = 0; j < tree_.dims; ++j)
        at[j] = tree_.coordinatesOf(leaf)[j * kLeafSize + i];
      search(0, 0, tree_.leaves, {at.data(), core_[id], clusterOf_[id]});
    }
  }

  /// At most the weight of any pair of the query and a point of the node (leaf_lanes.h says why
  /// rounding changes nothing).
  double boundOf(std::size_t node, const Query& query) const {
    const double* low = tree_.lowOf(node);
    const double* high = tree_.highOf(node);
    double sum = 0;
    for (std::size_t j = 0; j < tree_.dims; ++j) {
      const double gap = std::max({low[j] - query.at[j], query.at[j] - high[j], 0.0});
      sum += gap * gap;
    }
    return std::max({sum, query.core, nodes_[node].leastCore});
  }

  void search(std::size_t node, std::uint32_t begin, std::uint32_t leaves, const Query& query) {
    const Node& here = nodes_[node];
    if (here.lowest == query.cluster && here.highest == query.cluster) return;
    if (!couldReplace(query.cluster, boundOf(node, query), here.lowest)) return;
    if (leaves == 1) return compare(begin, query);
    const std::uint32_t left = (leaves + 1) / 2;
    const std::size_t right = node + 2 * std::size_t{left};
    const bool leftFirst = boundOf(node + 1, query) <= boundOf(right, query);
    if (leftFirst) search(node + 1, begin, left, query);
    search(right, begin + left, leaves - left, query);
    if (!leftFirst) search(node + 1, begin, left, query);
  }

  void compare(std::uint32_t leaf, const Query& query) {
    const double* coordinates = tree_.coordinatesOf(leaf);
    for (std::uint32_t i = 0; i < inLeaf(leaf); ++i) {
      const std::uint32_t id = tree_.idsOf(leaf)[i];
      if (clusterOf_[id] == query.cluster) continue;
      double sum = 0;
      for (std::size_t j = 0; j < tree_.dims; ++j) {
        const double d = query.at[j] - coordinates[j * kLeafSize + i];
        sum += d * d;
      }
      offer(query.cluster, std::max({sum, query.core, core_[id]}), clusterOf_[id]);
    }
  }

  const LeafTree& tree_;
  std::span<const std::uint32_t> clusterOf_;
  std::span<const double> core_;
  const Task& task_;
  LargeArray<Node> nodes_;
  std::vector<Separation> found_;
  std::mutex replacing_;
};

}  // namespace

Result<std::vector<Separation>> densitySeparations(const PointCloud& inner,
                                                   std::span<const std::uint32_t> clusterOf,
                                                   std::span<const double> squaredCore,
                                                   std::size_t clusters, const Task& task) {
  const auto tree = buildLeafTree(inner, task);
  if (!tree) return tl::unexpected(tree.error());
  std::vector<Separation> found = Search(*tree, clusterOf, squaredCore, clusters, task).run();
  if (task.cancelled()) return cancelledError();
  return found;
}

}  // namespace clusterloom
