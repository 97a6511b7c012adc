#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/condensed_tree.h"

namespace clusterloom {

/// How clusters of the condensed tree are selected.
enum class ClusterSelection {
  ExcessOfMass,  ///< those without ancestor relation whose stabilities have the largest sum
  Leaves,        ///< those that do not split further; the root only through `selectionEps`
};

/// "eom", "leaves".
const char* toText(ClusterSelection selection);

struct HdbscanOptions {
  std::uint32_t minClusterSize = 5;  ///< at least 2
  ClusterSelection selection = ClusterSelection::ExcessOfMass;
  bool allowSingleCluster = false;  ///< the root may be taken
  /// Clusters that appear at an ε below this one are not told apart [Malzer 2020]: in place of a
  /// cluster born below this ε, its nearest ancestor born at it or above is taken; 0 for no limit.
  /// Where only the root is such an ancestor, the root is taken if it may be, else its child. A
  /// root that is taken then holds the points that leave it at this ε or below.
  double selectionEps = 0;
  /// ExcessOfMass takes no cluster with more points at its birth; 0 for no limit. The root counts
  /// with the points of its children. `selectionEps` may take larger ones.
  std::uint32_t maxClusterSize = 0;
  /// ExcessOfMass takes no cluster that appears at a larger ε, and not the root where the longest
  /// edge that leaves it is larger. `selectionEps` may take such clusters.
  double largestEps = std::numeric_limits<double>::infinity();
};

/// The flat clusters of HDBSCAN* [Campello 2013, §5].
struct FlatClusters {
  /// One for each point: clusters are numbered 0, 1, … by their lowest point; −1 is noise.
  std::vector<std::int32_t> labels;
  /// One for each point, 0 … 1: how long it stays in its cluster, as λ over the largest λ in it;
  /// 0 for noise. Where points at distance 0 make the largest λ infinite, 1 for these and 0 for the
  /// others.
  std::vector<double> probabilities;
  std::vector<std::int32_t> taken;     ///< the cluster of the condensed tree behind each number
  std::vector<std::uint32_t> densest;  ///< a point of each that stays in it to its end
  /// For each number the stability of its cluster, divided by the product of the number of points
  /// labelled with it and the largest λ in the tree, as the Python package hdbscan defines it; 1
  /// where that λ is infinite.
  std::vector<double> persistence;
};

/// Takes clusters of a condensed tree, as scikit-learn's HDBSCAN does [Campello 2013, §5]. Where
/// the root is taken, its points count as noise unless they stay as long as the last part that
/// leaves it, or down to `selectionEps` where that is given.
///
/// Example:
///
///     const auto tree = condense(hierarchy.dendrogram(), 25);
///     if (!tree) return tl::unexpected(tree.error());
///     const FlatClusters found = takeClusters(*tree, {.minClusterSize = 25});
///
/// Performance. One thread, a pass over clusters and points; 12 bytes a point for the result.
///
/// Parameters. HdbscanOptions::minClusterSize is that of `condense` (condensed_tree.h) and changes
/// nothing here.
FlatClusters takeClusters(const CondensedTree& tree, const HdbscanOptions& options);

/// The clusters of HDBSCAN* as a clustering, for views and exports: labels without roles, since
/// HDBSCAN* has no core and border points. Only minPts of `params` was used.
Clustering asClustering(const FlatClusters& flat, const DbscanParams& params);

}  // namespace clusterloom
