#pragma once

#include <algorithm>

#include "engine/hierarchy/hierarchy.h"

inline bool sameDendrogram(const clusterloom::Dendrogram& a, const clusterloom::Dendrogram& b) {
  return a.points == b.points && a.left == b.left && a.right == b.right &&
         a.squaredWeights == b.squaredWeights && a.sizes == b.sizes;
}

/// All that answers come from.
inline bool sameHierarchy(const clusterloom::Hierarchy& a, const clusterloom::Hierarchy& b) {
  return a.minPts() == b.minPts() && sameDendrogram(a.dendrogram(), b.dendrogram()) &&
         std::ranges::equal(a.order(), b.order()) &&
         std::ranges::equal(a.squaredCoreDistances(), b.squaredCoreDistances()) &&
         a.borders().offsets == b.borders().offsets &&
         a.borders().positions == b.borders().positions &&
         a.borders().squaredReach == b.borders().squaredReach;
}
