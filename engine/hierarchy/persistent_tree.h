#pragma once

#include "engine/hierarchy/condensed_tree.h"

namespace clusterloom {

/// The condensed tree with only the clusters that persist: from their birth on, λ grows by at least
/// `persistence` until the last point below them has left.
///
/// From below, of the parts into which a cluster splits:
/// - where two or more persist, these stay, and the points of the others leave the cluster where it
///   split;
/// - where fewer do, the cluster does not split there. It continues as the densest part: where that
///   splits, its parts become those of the cluster, and the points of the other parts leave where
///   the cluster split; else the cluster keeps the points of all parts to their ends.
///
/// For clusters that split in two, this is `cluster_selection_persistence` of the Python package
/// hdbscan where the part that is left out does not split itself; points of such parts have other
/// ends there.
///
/// Performance. A pass over clusters and points.
CondensedTree persistentTree(CondensedTree tree, double persistence);

}  // namespace clusterloom
