#include "engine/hierarchy/condensed_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

namespace clusterloom {

namespace {

constexpr std::size_t kNodesPerLook = std::size_t{1} << 16;
constexpr double kNeverLeft = std::numeric_limits<double>::infinity();  // λ of distance 0

/// Part of the work: the node of the dendrogram at which a cluster continues.
struct Continuation {
  std::uint32_t node;
  std::int32_t cluster;
};

class Condenser {
 public:
  Condenser(const Dendrogram& tree, std::uint32_t minClusterSize, const Task& task)
      : tree_(tree), task_(task) {
    condensed_.minClusterSize = minClusterSize;
    condensed_.clusterOf.resize(tree.points);
    condensed_.lambda.resize(tree.points);
  }

  Result<CondensedTree> run() {
    const auto root = std::uint32_t(tree_.nodes() - 1);
    begin(root, CondensedCluster::kNoParent, 0.0);
    while (!continuations_.empty()) {
      if (++steps_ % kNodesPerLook == 0 && task_.cancelled()) return cancelledError();
      const Continuation next = continuations_.back();
      continuations_.pop_back();
      split(next);
    }
    if (task_.cancelled()) return cancelledError();
    return std::move(condensed_);
  }

 private:
  // Two squares may have one root: such distances are equal.
  double weightOf(std::uint32_t node) const {
    return std::sqrt(tree_.squaredWeights[node - tree_.points]);
  }

  void begin(std::uint32_t node, std::int32_t parent, double birth) {
    CondensedCluster cluster;
    cluster.parent = parent;
    cluster.size = tree_.sizeOf(node);
    cluster.node = node;
    cluster.birth = birth;
    cluster.death = birth;
    condensed_.clusters.push_back(cluster);
    continuations_.push_back({node, std::int32_t(condensed_.clusters.size() - 1)});
  }

  /// The maximal parts of `node` that hold together below its weight.
  void findParts(std::uint32_t node) {
    parts_.clear();
    const double weight = weightOf(node);
    pending_.assign(1, node);
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (tree_.isPoint(at) || weightOf(at) != weight) {
        parts_.push_back(at);
        continue;
      }
      pending_.push_back(tree_.right[at - tree_.points]);
      pending_.push_back(tree_.left[at - tree_.points]);
    }
  }

  /// All points below `node` leave `cluster` at `lambda`.
  void drop(std::uint32_t node, std::int32_t cluster, double lambda) {
    CondensedCluster& from = condensed_.clusters[std::size_t(cluster)];
    from.stability += (lambda - from.birth) * tree_.sizeOf(node);
    from.death = std::max(from.death, lambda);
    pending_.assign(1, node);
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (tree_.isPoint(at)) {
        condensed_.clusterOf[at] = cluster;
        condensed_.lambda[at] = lambda;
        continue;
      }
      pending_.push_back(tree_.right[at - tree_.points]);
      pending_.push_back(tree_.left[at - tree_.points]);
    }
  }

  void split(const Continuation& at) {
    // Nothing separates a single point or points at distance 0. A cluster with such points ends
    // here, so that no cluster is born at an infinite λ: all differences of λ are numbers.
    if (tree_.isPoint(at.node)) return drop(at.node, at.cluster, kNeverLeft);
    const double weight = weightOf(at.node);
    if (weight == 0) return drop(at.node, at.cluster, kNeverLeft);
    const double lambda = 1.0 / weight;
    findParts(at.node);
    const auto large = std::count_if(parts_.begin(), parts_.end(), [this](std::uint32_t part) {
      return tree_.sizeOf(part) >= condensed_.minClusterSize;
    });
    for (const std::uint32_t part : parts_) {
      if (tree_.sizeOf(part) < condensed_.minClusterSize) {
        drop(part, at.cluster, lambda);
      } else if (large == 1) {
        continuations_.push_back({part, at.cluster});
      } else {
        CondensedCluster& from = condensed_.clusters[std::size_t(at.cluster)];
        from.stability += (lambda - from.birth) * tree_.sizeOf(part);
        from.death = std::max(from.death, lambda);
        begin(part, at.cluster, lambda);
      }
    }
  }

  const Dendrogram& tree_;
  const Task& task_;
  CondensedTree condensed_;
  std::vector<Continuation> continuations_;
  std::vector<std::uint32_t> parts_;
  std::vector<std::uint32_t> pending_;
  std::size_t steps_ = 0;
};

}  // namespace

Result<CondensedTree> condense(const Dendrogram& tree, std::uint32_t minClusterSize,
                               const Task& task) {
  if (minClusterSize < 2) {
    return badCall("the smallest cluster must have at least 2 points, not " +
                   std::to_string(minClusterSize));
  }
  return Condenser(tree, minClusterSize, task).run();
}

LargeArray<CondensedRow> condensedRows(const CondensedTree& tree) {
  const auto points = std::int64_t(tree.clusterOf.size());
  const auto clusters = std::int64_t(tree.clusters.size());
  LargeArray<CondensedRow> rows;
  rows.reserve(std::size_t(points + clusters - 1));
  for (std::int64_t p = 0; p < points; ++p) {
    const auto at = std::size_t(p);
    rows.push_back({points + tree.clusterOf[at], p, tree.lambda[at], 1});
  }
  for (std::int64_t c = 1; c < clusters; ++c) {
    const CondensedCluster& cluster = tree.clusters[std::size_t(c)];
    rows.push_back({points + cluster.parent, points + c, cluster.birth, cluster.size});
  }
  std::sort(rows.begin(), rows.end(), [](const CondensedRow& a, const CondensedRow& b) {
    return std::tie(a.parent, a.lambda, a.child) < std::tie(b.parent, b.lambda, b.child);
  });
  return rows;
}

std::vector<double> outlierScores(const CondensedTree& tree) {
  std::vector<double> largest(tree.clusters.size(), 0.0);
  for (std::size_t i = largest.size(); i-- > 0;) {
    const CondensedCluster& cluster = tree.clusters[i];
    largest[i] = std::max(largest[i], cluster.death);
    if (cluster.parent == CondensedCluster::kNoParent) continue;
    double& above = largest[std::size_t(cluster.parent)];
    above = std::max(above, largest[i]);
  }
  std::vector<double> scores(tree.clusterOf.size());
  for (std::size_t p = 0; p < scores.size(); ++p) {
    const double lambda = tree.lambda[p];
    const double end = largest[std::size_t(tree.clusterOf[p])];
    // A point at λ 0 alone, which is core at no ε, has nothing to be compared with.
    scores[p] = std::isinf(lambda) || end == 0 ? 0.0 : 1 - lambda / end;
  }
  return scores;
}

}  // namespace clusterloom
