#pragma once

#include <cstdint>

#include "engine/core/lane.h"

namespace clusterloom {

// Disjoint sets (engine/core/disjoint_sets.h) for many lanes that unite at once, whose sets become
// few. All of them then read the parents of the same roots, which the memory of a GPU delivers one
// after the other: here lanes take what their multiprocessor has in its cache, and find in the end
// that a root is one no more. Any root may be linked, so roots are no lowest members.

/// A root of i's set at some moment, which may be past. Shortens the path on the way.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t recentRoot(Lane& lane, std::uint32_t* parent, std::uint32_t i) {
  std::uint32_t up = lane.peek(parent + i);
  while (up != i) {
    const std::uint32_t above = lane.peek(parent + up);
    if (above == up) return up;
    lane.store(parent + i, above);
    i = up;
    up = above;
  }
  return i;
}

/// The root of i in a pass without unions; leaves the path unchanged.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t settledRoot(Lane& lane, const std::uint32_t* parent,
                                           std::uint32_t i) {
  for (;;) {
    const std::uint32_t up = lane.peek(parent + i);
    if (up == i) return i;
    i = up;
  }
}

/// Unites the sets of a and b, and returns the root of both at some moment. Of two roots the one is
/// linked whose scattered number, counted from `first`, is higher; all calls of a pass have the
/// same `first`, which remains a root. By the numbers themselves neighbours, whose numbers are
/// close, would make chains as long as a row of sets.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t uniteScattered(Lane& lane, std::uint32_t* parent, std::uint32_t a,
                                              std::uint32_t b, std::uint32_t first) {
  // A product by an odd number is one-to-one; by the golden ratio, those of close numbers are not.
  constexpr std::uint32_t kGolden = 0x9e3779b1U;
  a = recentRoot(lane, parent, a);
  b = recentRoot(lane, parent, b);
  while (a != b) {
    if ((a - first) * kGolden < (b - first) * kGolden) {
      const std::uint32_t later = b;
      b = a;
      a = later;
    }
    const std::uint32_t now = lane.swapIf(parent + a, a, b);
    if (now == a) return b;
    a = recentRoot(lane, parent, now);  // it was linked before
    b = recentRoot(lane, parent, b);
  }
  return a;
}

}  // namespace clusterloom
