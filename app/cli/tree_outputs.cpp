#include "app/cli/tree_outputs.h"

#include <vector>

#include "engine/hierarchy/condensed_tree.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/io/numbers.h"

namespace clusterloom::cli {

Result<void> writeLinkage(const OutputTarget& target, const Dendrogram& tree, const Task& task) {
  return writeTableNpy(
      target, tree.merges(), 4,
      [&](std::size_t i, double* row) {
        row[0] = tree.left[i];
        row[1] = tree.right[i];
        row[2] = smallestEps(tree.squaredWeights[i]);
        row[3] = tree.sizes[i];
      },
      task);
}

Result<void> writeCondensedTree(const OutputTarget& target, const CondensedTree& tree,
                                const Task& task) {
  const LargeArray<CondensedRow> rows = condensedRows(tree);
  return writeTableCsv(
      target, "parent,child,lambda_val,child_size", rows.size(),
      [&](std::size_t i, std::string& line) {
        line += std::to_string(rows[i].parent) + ',' + std::to_string(rows[i].child) + ',';
        appendNumber(line, rows[i].lambda);
        line += ',' + std::to_string(rows[i].size);
      },
      task);
}

std::string clusterTable(const CondensedTree& tree, const FlatClusters& flat) {
  std::vector<std::string> taken(tree.clusters.size(), ",");
  for (std::size_t i = 0; i < flat.taken.size(); ++i) {
    std::string& text = taken[std::size_t(flat.taken[i])];
    text.clear();
    appendNumber(text, flat.persistence[i]);
    text += ',' + std::to_string(i);
  }
  std::string text = "cluster,parent,points,eps_birth,eps_end,stability,persistence,label\n";
  for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
    const CondensedCluster& cluster = tree.clusters[c];
    text += std::to_string(c) + ',';
    if (cluster.parent != CondensedCluster::kNoParent) text += std::to_string(cluster.parent);
    text += ',' + std::to_string(cluster.size);
    for (const double value : {1 / cluster.birth, 1 / cluster.death, cluster.stability})
      appendNumber(text += ',', value);
    text += ',' + taken[c] + '\n';
  }
  return text;
}

}  // namespace clusterloom::cli
