#include "engine/hierarchy/condensed_rows.h"

#include <algorithm>
#include <tuple>

namespace clusterloom {

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

}  // namespace clusterloom
