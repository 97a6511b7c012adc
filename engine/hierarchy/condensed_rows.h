#pragma once

#include <cstdint>

#include "engine/hierarchy/condensed_tree.h"

namespace clusterloom {

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

}  // namespace clusterloom
