#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"

namespace clusterloom {

/// A cluster of the condensed tree: it appears when a larger one splits and ends when it splits
/// itself or has lost its points. Densities are λ = 1 / distance.
struct CondensedCluster {
  static constexpr std::int32_t kNoParent = -1;

  std::int32_t parent = kNoParent;  ///< the cluster that split; the root has none
  std::uint32_t size = 0;           ///< points at its birth
  std::uint32_t node = 0;           ///< of the dendrogram: its points at its birth
  double birth = 0;                 ///< λ at which it appears; 0 for the root
  double death = 0;  ///< the largest λ at which a point or child leaves it; may be ∞
  double stability =
      0;  ///< Σ over its points of (λ at which the point leaves it − birth); may be ∞
};

/// The condensed tree of HDBSCAN* [Campello 2013, §4]: the dendrogram in which only splits into
/// clusters of at least `minClusterSize` points count; smaller parts fall out of their cluster as
/// single points.
///
/// Edges of equal weight are removed together, as in [Campello 2013, algorithm 1]: the tree does
/// not depend on which of several spanning trees it was made from. (Implementations that remove
/// them one by one give some points that stand alone between two clusters to one of the two.)
/// Points at distance 0 of each other are never separated: they leave at λ = ∞, and where there are
/// at least `minClusterSize` of them, the stability of their cluster is infinite. Such a cluster
/// has no children; births are finite.
struct CondensedTree {
  std::uint32_t minClusterSize = 2;
  std::vector<CondensedCluster> clusters;  ///< the root first, parents before their children
  LargeArray<std::int32_t> clusterOf;      ///< for each point the last cluster that holds it
  LargeArray<double> lambda;  ///< for each point the λ at which it leaves that cluster
};

/// Condenses a dendrogram of at least one point. BadCall for minClusterSize < 2; Cancelled.
Result<CondensedTree> condense(const Dendrogram& tree, std::uint32_t minClusterSize,
                               const Task& task = {});

/// An edge of a condensed tree, with the members of the Python package hdbscan. Of n points, 0 …
/// n − 1 are points and n + c is cluster c of the tree; n is the root.
struct CondensedRow {
  std::int64_t parent = 0;  ///< a cluster
  std::int64_t child = 0;   ///< a point, or a cluster
  double lambda = 0;        ///< λ at which the child leaves the parent; may be ∞
  std::int64_t size = 0;    ///< points of the child at its birth
};

/// All edges, by (parent, λ, child) ascending: one for each point and each cluster but the root.
LargeArray<CondensedRow> condensedRows(const CondensedTree& tree);

/// The outlier scores of GLOSH [Campello 2015], one for each point, 0 … 1: 1 − λ(p) / λmax,
/// where λ(p) is the density at which the point leaves its last cluster and λmax the largest at
/// which a point leaves that cluster or one below it. Where λmax is infinite, 0 for the points that
/// leave at it and 1 for the others.
std::vector<double> outlierScores(const CondensedTree& tree);

}  // namespace clusterloom
