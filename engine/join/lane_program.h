#pragma once

#include <cstdint>

#include "engine/join/join_view.h"
#include "engine/join/lane.h"

namespace clusterloom {

/// First cell whose linear id is ≥ `id`, by binary search in B.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t searchCell(Lane& lane, const JoinView& v, std::uint64_t id) {
  std::uint32_t low = 0;
  std::uint32_t high = v.cells;
  lane.enter(Loop::Search);
  while (low < high) {
    lane.step(Loop::Search);
    const std::uint32_t middle = low + (high - low) / 2;
    if (v.cellIds[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  lane.leave(Loop::Search);
  return low;
}

/// Which of the coordinates c − 1, c, c + 1 (bits 0, 1, 2) of indexed dimension i hold any point:
/// the range filter by M of paper 001, algorithm 1, line 7.
CLUSTERLOOM_LANE unsigned occupiedSteps(const JoinView& v, int i, std::uint32_t c) {
  const std::uint32_t* m = v.occupied[i];
  std::uint32_t low = 0;
  std::uint32_t high = v.occupiedCount[i];
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (m[middle] < c)
      low = middle + 1;
    else
      high = middle;
  }
  unsigned steps = 0;
  if (low > 0 && m[low - 1] + 1 == c) steps |= 1U;
  if (low < v.occupiedCount[i] && m[low] == c) steps |= 2U;
  const std::uint32_t next = (steps & 2U) != 0 ? low + 1 : low;
  if (next < v.occupiedCount[i] && m[next] == c + 1) steps |= 4U;
  return steps;
}

/// Calls visit(cell) for the non-empty cells whose step in each indexed dimension is allowed by
/// allowed[i] (bits as in occupiedSteps), of those adjacent to linear id `own`; the own cell itself
/// is left out. visit returns true to end the walk early; so does this function.
template <class Lane, class Visit>
CLUSTERLOOM_LANE bool walkCells(Lane& lane, const JoinView& v, std::uint64_t own,
                                const unsigned (&allowed)[JoinView::kMaxIndexed], bool onlyHigher,
                                Visit&& visit) {
  const auto firstStep = [](unsigned steps) { return (steps & 1U) ? 0 : (steps & 2U) ? 1 : 2; };
  const auto nextStep = [](unsigned steps, int step) {
    for (++step; step < 3 && !((steps >> step) & 1U); ++step) {
    }
    return step;
  };
  const int k = v.indexedDims;
  int step[JoinView::kMaxIndexed];
  std::uint64_t id = own;
  for (int i = 0; i < k; ++i) {
    if (allowed[i] == 0) return false;
    step[i] = firstStep(allowed[i]);
    id += (static_cast<std::uint64_t>(step[i]) - 1) * v.stride[i];  // wraps mod 2⁶⁴, and back
  }
  lane.enter(Loop::Cell);
  for (;;) {
    lane.step(Loop::Cell);
    if (onlyHigher ? id > own : id != own) {
      const std::uint32_t cell = searchCell(lane, v, id);
      if (cell < v.cells && v.cellIds[cell] == id && visit(cell)) {
        lane.leave(Loop::Cell);
        return true;
      }
    }
    int i = k - 1;  // an odometer, fastest dimension first
    for (; i >= 0; --i) {
      const int next = nextStep(allowed[i], step[i]);
      if (next < 3) {
        id += static_cast<std::uint64_t>(next - step[i]) * v.stride[i];
        step[i] = next;
        break;
      }
      const int first = firstStep(allowed[i]);
      id -= static_cast<std::uint64_t>(step[i] - first) * v.stride[i];
      step[i] = first;
    }
    if (i < 0) break;
  }
  lane.leave(Loop::Cell);
  return false;
}

/// Calls visit(cell) for every adjacent non-empty cell that the pattern compares `ownCell` with,
/// the own cell left out. full: all of them. lid-unicomp: those of higher linear id (000 §III-B).
/// unicomp: for each dimension in which the own coordinate is odd, the cells that differ there, are
/// free in the dimensions before and agree in those after (001 §4.2, algorithm 2): of two adjacent
/// cells exactly one visits the other. tile: as full (it reads the same cells as rows).
template <class Lane, class Visit>
CLUSTERLOOM_LANE void visitAdjacentCells(Lane& lane, const JoinView& v, std::uint32_t ownCell,
                                         Visit&& visit) {
  const std::uint64_t own = v.cellIds[ownCell];
  unsigned steps[JoinView::kMaxIndexed] = {};
  bool odd[JoinView::kMaxIndexed] = {};
  for (int i = 0; i < v.indexedDims; ++i) {
    const auto c = static_cast<std::uint32_t>(own / v.stride[i] % v.extent[i]);
    steps[i] = occupiedSteps(v, i, c);
    odd[i] = (c & 1U) != 0;
  }
  if (v.pattern != AccessPattern::Unicomp) {
    walkCells(lane, v, own, steps, v.pattern == AccessPattern::LidUnicomp, visit);
    return;
  }
  for (int differing = 0; differing < v.indexedDims; ++differing) {
    if (!odd[differing]) continue;
    unsigned allowed[JoinView::kMaxIndexed] = {};
    for (int i = 0; i < v.indexedDims; ++i)
      allowed[i] = i < differing ? steps[i] : i == differing ? steps[i] & 5U : 2U;
    if (walkCells(lane, v, own, allowed, false, visit)) return;
  }
}

/// SORTIDU (003 §4.3): of positions [begin, end), sorted by dimension u, those whose difference
/// from the query in u alone does not exceed ε. Tested as the predicate rounds it: fl(dx)·fl(dx) ≤
/// ε².
CLUSTERLOOM_LANE void narrowBySortedDimension(const JoinView& v, std::uint32_t query,
                                              std::uint32_t& begin, std::uint32_t& end) {
  const double* x = v.columns[v.sortedBy];
  const double centre = x[query];
  const auto outside = [&](std::uint32_t p) {
    const double difference = x[p] - centre;
    return difference * difference > v.squaredEps;
  };
  std::uint32_t low = begin;
  std::uint32_t high = end;
  while (low < high) {  // first position not below the window
    const std::uint32_t middle = low + (high - low) / 2;
    if (x[middle] < centre && outside(middle))
      low = middle + 1;
    else
      high = middle;
  }
  const std::uint32_t first = low;
  high = end;
  while (low < high) {  // first position above the window
    const std::uint32_t middle = low + (high - low) / 2;
    if (x[middle] > centre && outside(middle))
      high = middle;
    else
      low = middle + 1;
  }
  begin = first;
  end = low;
}

/// Compares `query` with the candidates at positions [begin, end), this lane taking every
/// `stride`-th from `begin + phase` on. Each hit goes to the sink as (query, candidate), and under
/// a half pattern outside the own cell also as (candidate, query). A sink's hit() returns true when
/// the query needs no more. Adds to `calculations` the distances decided.
template <class Lane, class Sink>
CLUSTERLOOM_LANE bool scanCandidates(Lane& lane, const JoinView& v, std::uint32_t query,
                                     std::uint32_t begin, std::uint32_t end, std::uint32_t phase,
                                     std::uint32_t stride, bool bothWays, Sink& sink,
                                     std::uint64_t& calculations) {
  if (v.sortedBy >= 0) narrowBySortedDimension(v, query, begin, end);
  bool enough = false;
  lane.enter(Loop::Candidate);
  for (std::uint32_t candidate = begin + phase; candidate < end && !enough; candidate += stride) {
    lane.step(Loop::Candidate);
    ++calculations;
    if (decideNeighbour(v, query, candidate)) {
      lane.mark(Loop::Hit);
      enough = sink.hit(query, candidate);
      if (bothWays) sink.hit(candidate, query);
    }
  }
  lane.leave(Loop::Candidate);
  return enough;
}

/// One query point per lane, or `stride` lanes per query point with phases 0 … stride − 1
/// (GPUCALCGLOBAL, 001 algorithm 1; k threads per point, 000 §III-A). Returns the distances
/// decided.
template <class Lane, class Sink>
CLUSTERLOOM_LANE std::uint64_t queryByCells(Lane& lane, const JoinView& v, std::uint32_t query,
                                            std::uint32_t queryCell, std::uint32_t phase,
                                            std::uint32_t stride, Sink& sink) {
  std::uint64_t calculations = 0;
  const bool half = isHalf(v.pattern);
  if (scanCandidates(lane, v, query, v.cellStart[queryCell], v.cellStart[queryCell + 1], phase,
                     stride, false, sink, calculations))
    return calculations;
  visitAdjacentCells(lane, v, queryCell, [&](std::uint32_t cell) {
    return scanCandidates(lane, v, query, v.cellStart[cell], v.cellStart[cell + 1], phase, stride,
                          half, sink, calculations);
  });
  return calculations;
}

/// The tile pattern (ours): the lanes of a warp share queries of one cell, width / lanesPerQuery of
/// them at a time, lanesPerQuery lanes each; the adjacent cells are read as 3^(k − 1) contiguous
/// rows along the fastest dimension. `queries` are positions [first, first + count) of cell `cell`,
/// count ≤ width / lanesPerQuery. Returns the distances this lane decided.
template <class Lane, class Sink>
CLUSTERLOOM_LANE std::uint64_t queryTile(Lane& lane, const JoinView& v, std::uint32_t first,
                                         std::uint32_t count, std::uint32_t cell,
                                         std::uint32_t lanesPerQuery, Sink& sink) {
  std::uint64_t calculations = 0;
  const std::uint32_t slot = lane.id() / lanesPerQuery;
  const std::uint32_t phase = lane.id() % lanesPerQuery;
  const bool idle = slot >= count;
  const std::uint32_t query = first + (idle ? 0 : slot);
  const std::uint64_t own = v.cellIds[cell];
  const int slowDims = v.indexedDims - 1;

  int step[JoinView::kMaxIndexed] = {};
  std::uint64_t row = own;
  for (int i = 0; i < slowDims; ++i) row -= v.stride[i];
  bool enough = idle;
  lane.enter(Loop::Cell);
  for (;;) {
    lane.step(Loop::Cell);
    // At most three cells: the row's window along the fastest dimension.
    const std::uint32_t begin = searchCell(lane, v, row - 1);
    std::uint32_t end = begin;
    while (end < v.cells && v.cellIds[end] <= row + 1) ++end;
    if (v.sortedBy < 0) {
      if (!enough && begin < end)
        enough = scanCandidates(lane, v, query, v.cellStart[begin], v.cellStart[end], phase,
                                lanesPerQuery, false, sink, calculations);
    } else {
      for (std::uint32_t c = begin; c < end && !enough; ++c)
        enough = scanCandidates(lane, v, query, v.cellStart[c], v.cellStart[c + 1], phase,
                                lanesPerQuery, false, sink, calculations);
    }
    int i = slowDims - 1;
    for (; i >= 0; --i) {
      if (++step[i] < 3) {
        row += v.stride[i];
        break;
      }
      row -= 2 * v.stride[i];
      step[i] = 0;
    }
    if (i < 0) break;
  }
  lane.leave(Loop::Cell);
  return calculations;
}

}  // namespace clusterloom
