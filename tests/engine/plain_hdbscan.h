#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/point_distance.h"
#include "engine/hierarchy/dendrogram.h"

/// HDBSCAN*'s condensed tree by its definition, in plain loops.
namespace plain {

using clusterloom::Dendrogram;
using clusterloom::PointCloud;
using clusterloom::TreeEdge;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Squared weights of mutual reachability between all points, in plain loops.
inline std::vector<std::vector<double>> mutualReachability(const PointCloud& cloud,
                                                           std::size_t minPts) {
  const std::size_t n = cloud.size();
  std::vector<std::vector<double>> weights(n, std::vector<double>(n));
  std::vector<double> core(n, kInfinity);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t q = 0; q < n; ++q)
      weights[p][q] = clusterloom::canonicalSquaredDistance(cloud, p, q);
    std::vector<double> sorted = weights[p];
    std::sort(sorted.begin(), sorted.end());
    if (minPts <= n) core[p] = sorted[minPts - 1];
  }
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t q = 0; q < n; ++q) weights[p][q] = std::max({weights[p][q], core[p], core[q]});
  return weights;
}

/// Prim's spanning tree, its edges ascending; `random` orders those of equal weight.
inline std::vector<TreeEdge> spanningTree(const std::vector<std::vector<double>>& weights,
                                          std::mt19937_64& random) {
  const std::size_t n = weights.size();
  std::vector<double> best(n, kInfinity);
  std::vector<std::uint32_t> from(n, 0);
  std::vector<bool> in(n, false);
  std::vector<TreeEdge> edges;
  std::uint32_t last = 0;
  in[0] = true;
  while (edges.size() + 1 < n) {
    std::uint32_t next = 0;
    for (std::uint32_t q = 0; q < n; ++q) {
      if (in[q]) continue;
      if (weights[last][q] < best[q]) {
        best[q] = weights[last][q];
        from[q] = last;
      }
      if (in[next] || best[q] < best[next]) next = q;
    }
    edges.push_back({from[next], next, best[next]});
    in[next] = true;
    last = next;
  }
  std::shuffle(edges.begin(), edges.end(), random);
  std::stable_sort(edges.begin(), edges.end(), [](const TreeEdge& a, const TreeEdge& b) {
    return a.squaredWeight < b.squaredWeight;
  });
  return edges;
}

/// HDBSCAN*'s condensed tree by its definition: sets of points, split by removing all edges of the
/// largest weight that still connects them.
struct PlainCluster {
  std::vector<std::uint32_t> points;
  double birth = 0;
  double stability = 0;
};
struct PlainTree {
  std::vector<PlainCluster> clusters;
  std::vector<double> lambda;  // of each point
  std::vector<std::vector<std::uint32_t>>
      of;  // the birth set of the cluster that a point is last in
};

class PlainCondenser {
 public:
  PlainCondenser(const std::vector<std::vector<double>>& weights, std::size_t minClusterSize)
      : weights_(weights), size_(minClusterSize) {
    // Distances: two squares may have one root.
    for (auto& row : weights_)
      for (double& weight : row) weight = std::sqrt(weight);
    tree_.lambda.resize(weights.size());
    tree_.of.resize(weights.size());
  }

  PlainTree run() {
    std::vector<std::uint32_t> all(weights_.size());
    std::iota(all.begin(), all.end(), 0U);
    follow({all, 0, 0}, all);
    return tree_;
  }

 private:
  /// The parts of `points` that edges lighter than `weight` connect.
  std::vector<std::vector<std::uint32_t>> parts(const std::vector<std::uint32_t>& points,
                                                double weight) const {
    std::vector<std::vector<std::uint32_t>> found;
    std::vector<bool> seen(weights_.size(), false);
    for (const std::uint32_t first : points) {
      if (seen[first]) continue;
      std::vector<std::uint32_t> part{first};
      seen[first] = true;
      for (std::size_t i = 0; i < part.size(); ++i) {
        for (const std::uint32_t q : points) {
          if (seen[q] || !(weights_[part[i]][q] < weight)) continue;
          seen[q] = true;
          part.push_back(q);
        }
      }
      std::sort(part.begin(), part.end());
      found.push_back(part);
    }
    return found;
  }

  void leave(PlainCluster& cluster, const std::vector<std::uint32_t>& points, double lambda) {
    cluster.stability += (lambda - cluster.birth) * static_cast<double>(points.size());
    for (const std::uint32_t p : points) {
      tree_.lambda[p] = lambda;
      tree_.of[p] = cluster.points;
    }
  }

  void follow(PlainCluster cluster, std::vector<std::uint32_t> points) {
    for (;;) {
      // The largest weight that still holds the points together: the smallest among all weights w
      // with which "not heavier than w" connects them.
      std::vector<double> distinct;
      for (const std::uint32_t p : points)
        for (const std::uint32_t q : points)
          if (p != q) distinct.push_back(weights_[p][q]);
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      const auto weight = std::find_if(distinct.begin(), distinct.end(), [&](double w) {
        return parts(points, std::nextafter(w, kInfinity)).size() == 1 || std::isinf(w);
      });
      if (weight == distinct.end() || *weight == 0) {
        leave(cluster, points, kInfinity);
        break;
      }
      const double lambda = 1.0 / *weight;
      const auto split = parts(points, *weight);
      const auto large = std::count_if(split.begin(), split.end(),
                                       [this](const auto& part) { return part.size() >= size_; });
      std::vector<std::uint32_t> next;
      for (const auto& part : split) {
        if (part.size() < size_) {
          leave(cluster, part, lambda);
        } else if (large == 1) {
          next = part;
        } else {
          cluster.stability += (lambda - cluster.birth) * static_cast<double>(part.size());
          follow({part, lambda, 0}, part);
        }
      }
      if (next.empty()) break;
      points = next;
    }
    tree_.clusters.push_back(cluster);
  }

  std::vector<std::vector<double>> weights_;
  std::size_t size_;
  PlainTree tree_;
};

/// The points below a node, ascending.
inline std::vector<std::uint32_t> pointsBelow(const Dendrogram& tree, std::uint32_t node) {
  std::vector<std::uint32_t> nodes{node}, points;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (tree.isPoint(nodes[i])) {
      points.push_back(nodes[i]);
    } else {
      nodes.push_back(tree.left[nodes[i] - tree.points]);
      nodes.push_back(tree.right[nodes[i] - tree.points]);
    }
  }
  std::sort(points.begin(), points.end());
  return points;
}

inline bool close(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

}  // namespace plain
