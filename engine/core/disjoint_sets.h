#pragma once

#include <cstdint>

#include "engine/core/lane.h"

namespace clusterloom {

// Disjoint sets over 0 … n − 1 as a forest in an array: parent[i] is i for a root, else a lower
// member of the same set. Any number of lanes may search and unite at once, without locks. Only a
// root is ever linked, always to a lower one, so links always point downwards, and the root of a
// set is its lowest member once all unions are done.

/// The root of i at some moment of the call. Shortens the path on the way: each member that it
/// passes gets its grandparent as parent. That is a plain store, which may replace a newer ancestor
/// by an older one; the path is then longer, never wrong.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t findRoot(Lane& lane, std::uint32_t* parent, std::uint32_t i) {
  std::uint32_t up = lane.load(parent + i);
  while (up != i) {
    const std::uint32_t above = lane.load(parent + up);
    if (above == up) return up;
    lane.store(parent + i, above);
    i = up;
    up = above;
  }
  return i;
}

/// The root of i; leaves the path unchanged. For passes in which every lane stores the root of i at
/// i: the stores of findRoot in another lane could put back an ancestor that is not a root.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t rootOf(Lane& lane, const std::uint32_t* parent, std::uint32_t i) {
  for (;;) {
    const std::uint32_t up = lane.load(parent + i);
    if (up == i) return i;
    i = up;
  }
}

/// Unites the sets of a and b: the higher root is linked to the lower. Returns whether this call
/// linked them: of several calls for the same two sets exactly one does.
template <class Lane>
CLUSTERLOOM_LANE bool unite(Lane& lane, std::uint32_t* parent, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = findRoot(lane, parent, a);
    b = findRoot(lane, parent, b);
    if (a == b) return false;
    if (a < b) {
      const std::uint32_t higher = b;
      b = a;
      a = higher;
    }
    const std::uint32_t now = lane.swapIf(parent + a, a, b);
    if (now == a) return true;
    a = now;  // another lane linked it first
  }
}

}  // namespace clusterloom
