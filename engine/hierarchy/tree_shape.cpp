#include "engine/hierarchy/tree_shape.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {
namespace {

/// The λ at which each point leaves its cluster, cluster by cluster, ascending.
std::vector<double> departures(const CondensedTree& tree, const std::vector<std::size_t>& begin) {
  std::vector<double> lambdas(tree.lambda.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t p = 0; p < lambdas.size(); ++p)
    lambdas[next[std::size_t(tree.clusterOf[p])]++] = tree.lambda[p];
  for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
    std::sort(lambdas.begin() + std::ptrdiff_t(begin[c]),
              lambdas.begin() + std::ptrdiff_t(begin[c + 1]));
  }
  return lambdas;
}

}  // namespace

TreeShape shapeOf(const CondensedTree& tree) {
  const std::size_t clusters = tree.clusters.size();
  std::vector<std::size_t> ownBegin(clusters + 1, 0);
  for (const std::int32_t cluster : tree.clusterOf) ++ownBegin[std::size_t(cluster) + 1];
  for (std::size_t c = 0; c < clusters; ++c) ownBegin[c + 1] += ownBegin[c];
  const std::vector<double> lambdas = departures(tree, ownBegin);

  TreeShape shape;
  shape.left.assign(clusters, 0.0);
  shape.begin.assign(1, 0);
  for (std::size_t c = 0; c < clusters; ++c) {
    const CondensedCluster& cluster = tree.clusters[c];
    std::uint32_t size = cluster.size;
    shape.steps.push_back({1 / cluster.birth, size});
    for (std::size_t i = ownBegin[c]; i < ownBegin[c + 1];) {
      const double lambda = lambdas[i];
      for (; i < ownBegin[c + 1] && lambdas[i] == lambda; ++i) --size;
      if (lambda < cluster.death) shape.steps.push_back({1 / lambda, size});
    }
    shape.begin.push_back(shape.steps.size());
    shape.end.push_back(1 / cluster.death);
  }
  // Points that leave a cluster leave it in equal parts on both sides; its children stand in
  // between.
  std::vector<double> nextChild(clusters);
  for (std::size_t c = 0; c < clusters; ++c) {
    const CondensedCluster& cluster = tree.clusters[c];
    if (cluster.parent != CondensedCluster::kNoParent) {
      double& at = nextChild[std::size_t(cluster.parent)];
      shape.left[c] = at;
      at += cluster.size;
    }
    nextChild[c] = shape.left[c] + 0.5 * double(ownBegin[c + 1] - ownBegin[c]);
  }

  shape.highest = 0;
  shape.lowest = INFINITY;
  const auto take = [&shape](double eps) {
    if (!std::isfinite(eps) || !(eps > 0)) return;
    shape.highest = std::max(shape.highest, eps);
    shape.lowest = std::min(shape.lowest, eps);
  };
  for (const TreeShape::Step& step : shape.steps) take(step.eps);
  for (const double eps : shape.end) take(eps);
  if (!(shape.highest > 0)) shape.highest = shape.lowest = 1;
  return shape;
}

}  // namespace clusterloom
