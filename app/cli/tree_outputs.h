#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hdbscan.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

/// The dendrogram as SciPy's linkage matrix, NPY of shape (points − 1, 4): the nodes that merge,
/// the smallest ε at which they do, the points below. Cancelled.
Result<void> writeLinkage(const OutputTarget& target, const Dendrogram& tree, const Task& task);

/// The edges of a condensed tree as CSV (engine/hierarchy/condensed_tree.h). Cancelled.
Result<void> writeCondensedTree(const OutputTarget& target, const CondensedTree& tree,
                                const Task& task);

/// The clusters of the tree as CSV, parents before their children. The root has no parent, and its
/// ε of birth is infinite; persistence and label are those of clusters that are taken.
std::string clusterTable(const CondensedTree& tree, const FlatClusters& flat);

}  // namespace clusterloom::cli
