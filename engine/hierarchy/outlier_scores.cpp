#include "engine/hierarchy/outlier_scores.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {

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
