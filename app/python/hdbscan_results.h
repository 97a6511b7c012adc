#pragma once

#include <pybind11/pybind11.h>

#include "engine/hierarchy/hdbscan.h"

namespace clusterloom::python {

/// What a call asks of HDBSCAN*.
struct HdbscanCall {
  HdbscanOptions options;
  double persistence = 0;  ///< of `persistentTree`; 0 for all clusters
};

/// The condensed tree of a dendrogram, and what the call takes of it.
struct HdbscanFound {
  CondensedTree tree;
  FlatClusters flat;
  std::vector<double> outlierScores;
};

Result<HdbscanFound> findHdbscan(const Dendrogram& dendrogram, const HdbscanCall& call,
                                 const Task& task);

/// The same as a dictionary of arrays, by point: "labels", "probabilities", "outlier_scores",
/// "cluster_of", "lambdas"; by label: "taken", "persistence"; by cluster of the tree: "parents",
/// "sizes", "births", "stabilities"; and the number "clusters".
pybind11::dict asDict(HdbscanFound found);

/// SciPy's linkage matrix: left, right, the smallest ε at which they merge, the points below.
Result<LargeArray<double>> linkageRows(const Dendrogram& tree, const Task& task);

}  // namespace clusterloom::python
