#pragma once

#include <cstdint>

#include "engine/ego/ego_index.h"

namespace clusterloom {

// The EGO-join [Gallet 2020, §3.2.3]: pairs of sequences are halved until they are short or the
// cells of their first and last points prove that no pair of their points is within ε. All points
// of a sequence have the same cell in the dimensions, in EGO order, before the first one in which
// its first and last point differ; there its cells lie between the two; nothing is known of the
// dimensions after it.

/// Whether two sequences may hold a pair, by their cells from dimension `start` on. Sets `start` to
/// the first dimension in which one of them has more than one cell: in those before it the cells
/// are adjacent, which need not be tested again for any part of the sequences.
inline bool mayJoin(const CellSpan* a, const CellSpan* b, int dims, int& start) {
  for (; start < dims; ++start) {
    const CellSpan& x = a[start];
    const CellSpan& y = b[start];
    if (x.low > y.high + 1 || y.low > x.high + 1) return false;
    if (x.low < x.high || y.low < y.high) return true;
  }
  return true;
}

/// For pairs of sequences that are pruned: does nothing.
struct ForgetPruned {
  void operator()(std::uint32_t, std::uint32_t) const {}
};

/// Calls visit(a, b, start) for the pairs of sequences that are not pruned and are not halved
/// further: those that are short, and those with at most `longest` points. Calls pruned(a, b) for
/// those that are. For a ≠ b.
template <class Visit, class Pruned = ForgetPruned>
void egoJoin(const EgoIndex& index, std::uint32_t a, std::uint32_t b, int start,
             std::uint32_t longest, const Visit& visit, const Pruned& pruned = {}) {
  if (!mayJoin(index.cellsOf(a), index.cellsOf(b), int(index.dimensions()), start)) {
    pruned(a, b);
    return;
  }
  const EgoSequence& x = index.sequences[a];
  const EgoSequence& y = index.sequences[b];
  const bool halvesA = x.halved() && x.size() > longest;
  const bool halvesB = y.halved() && y.size() > longest;
  if (!halvesA && !halvesB) {
    visit(a, b, start);
    return;
  }
  const auto joinWithB = [&](std::uint32_t part) {
    if (halvesB) {
      egoJoin(index, part, b + 1, start, longest, visit, pruned);
      egoJoin(index, part, y.right, start, longest, visit, pruned);
    } else {
      egoJoin(index, part, b, start, longest, visit, pruned);
    }
  };
  if (halvesA) {
    joinWithB(a + 1);
    joinWithB(x.right);
  } else {
    joinWithB(a);
  }
}

/// The same for a sequence with itself: visit(a, a, 0) for the parts that are not halved, and each
/// pair of different parts once. (The paper joins both (a, b) and (b, a).)
template <class Visit, class Pruned = ForgetPruned>
void egoSelfJoin(const EgoIndex& index, std::uint32_t a, std::uint32_t longest, const Visit& visit,
                 const Pruned& pruned = {}) {
  const EgoSequence& x = index.sequences[a];
  if (!x.halved() || x.size() <= longest) {
    visit(a, a, 0);
    return;
  }
  egoSelfJoin(index, a + 1, longest, visit, pruned);
  egoJoin(index, a + 1, x.right, 0, longest, visit, pruned);
  egoSelfJoin(index, x.right, longest, visit, pruned);
}

/// The EGO-join of the sequence `a` with one point, egoJoin(E, {q}, 0) of [Gallet 2020, §4.5]:
/// calls visit(a, start) for the short parts that may hold a neighbour. `cell(i)` is the point's
/// cell in dimension i of the EGO order.
template <class CellOfPoint, class Visit>
void egoJoinPoint(const EgoIndex& index, std::uint32_t a, int start, const CellOfPoint& cell,
                  const Visit& visit) {
  const int dims = int(index.dimensions());
  const CellSpan* const x = index.cellsOf(a);
  for (; start < dims; ++start) {
    const std::uint32_t c = cell(start);
    if (x[start].low > c + 1 || c > x[start].high + 1) return;
    if (x[start].low < x[start].high) break;
  }
  const EgoSequence& sequence = index.sequences[a];
  if (!sequence.halved()) {
    visit(a, start);
    return;
  }
  egoJoinPoint(index, a + 1, start, cell, visit);
  egoJoinPoint(index, sequence.right, start, cell, visit);
}

}  // namespace clusterloom
