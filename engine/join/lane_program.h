#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/core/lane.h"
#include "engine/core/lower_bound.h"
#include "engine/core/metric.h"
#include "engine/join/join_view.h"

namespace clusterloom {

// `D` is the number of the cloud's dimensions when it is known at compile time, 0 when it is read
// from the view, as it must be with metrics that are not Euclidean. A known number keeps the
// query's coordinates and the walk over the cells in registers.

template <int D>
struct Dims {};

/// Calls f(Dims<D>{}) for the D that fits a cloud of `dims` dimensions: 2, 3 and 6, where a known
/// number pays, and 0 for the others.
template <class F>
void withDims(int dims, F&& f) {
  switch (dims) {
    case 2: return f(Dims<2>{});
    case 3: return f(Dims<3>{});
    case 6: return f(Dims<6>{});
    default: return f(Dims<0>{});
  }
}

// `Real` is the type in which distances are computed first: double, or, where view.usesSingle,
// float.

/// Calls f(Real{}) for the Real of a view.
template <class F>
auto withReal(const JoinView& v, F&& f) {
  return v.usesSingle ? f(float{}) : f(double{});
}

/// A query point: its coordinates, or with float its offsets, in the order in which distances add
/// them, read once (D > 0).
template <int D, class Real = double>
struct QueryPoint {
  Real x[D > 0 ? D : 1];
  std::uint32_t position;
};

template <int D, class Real = double>
CLUSTERLOOM_LANE QueryPoint<D, Real> readQuery(const JoinView& v, std::uint32_t position) {
  QueryPoint<D, Real> query{};
  query.position = position;
  for (int i = 0; i < D; ++i) {
    if constexpr (std::is_same_v<Real, float>)
      query.x[i] = v.single.columns[i][position];
    else
      query.x[i] = v.columns[v.reordered ? v.sumOrder[i] : i][position];
  }
  return query;
}

/// How a distance is decided. Each gives the result of the predicate.
enum class Deciding {
  Whole,           ///< the canonical predicate
  Short,           ///< SHORTC [Gowanlock 2019, §4.4] in the canonical order
  ShortReordered,  ///< SHORTC in REORDER's order
  ByMetric,        ///< the predicate of the view's metric
};

/// The canonical predicate at two positions.
CLUSTERLOOM_LANE bool isNeighbour(const JoinView& v, std::uint32_t p, std::uint32_t q) {
  return squaredDistance(v.dims, [&](int j) { return v.columns[j][p] - v.columns[j][q]; }) <=
         v.squaredEps;
}

/// The same result in the way of the plan. In the canonical order partial sums never decrease, so
/// stopping needs no band; in another order the sum may differ by the band 2(n + 2)u·ε², inside
/// which the predicate itself decides.
template <int D, Deciding How>
CLUSTERLOOM_LANE bool decideNeighbour(const JoinView& v, const QueryPoint<D>& query,
                                      std::uint32_t candidate) {
  constexpr bool reordered = How == Deciding::ShortReordered;
  const int dims = D > 0 ? D : v.dims;
  const auto difference = [&](int i) {
    const double* column = v.columns[reordered ? v.sumOrder[i] : i];
    return (D > 0 ? query.x[i] : column[query.position]) - column[candidate];
  };
  if constexpr (How == Deciding::ByMetric) {
    return squaredLength(v.metric, dims, difference) <= v.squaredEps;
  } else if constexpr (How == Deciding::Whole) {
    return squaredDistance(dims, difference) <= v.squaredEps;
  } else {
    const double limit = reordered ? v.rejectAbove : v.squaredEps;
    const double sum =
        squaredDistance(dims, difference, [&](double partial) { return partial > limit; });
    if (sum > limit) return false;
    return !reordered || sum <= v.acceptBelow || isNeighbour(v, query.position, candidate);
  }
}

/// The same answer by precision 32. What is certainly outside stays so: partial sums only grow.
template <int D, Deciding How>
CLUSTERLOOM_LANE bool decideNeighbour(const JoinView& v, const QueryPoint<D, float>& query,
                                      std::uint32_t candidate) {
  const int dims = D > 0 ? D : v.dims;
  float sum = 0;
  for (int i = 0; i < dims; ++i) {
    const float* offsets = v.single.columns[i];
    sum = addSquare(sum, foldedDifference(D > 0 ? query.x[i] : offsets[query.position],
                                          offsets[candidate], v.single.blocks[i]));
    if constexpr (How != Deciding::Whole) {
      if (sum > v.single.rejectAbove) return false;
    }
  }
  if (sum > v.single.rejectAbove) return false;
  return sum <= v.single.acceptBelow || isNeighbour(v, query.position, candidate);
}

/// First cell whose linear id is ≥ `id`, by binary search in B.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t searchCell(Lane& lane, const JoinView& v, std::uint64_t id) {
  lane.enter(Loop::Search);
  const std::uint32_t cell = firstNotBefore(std::uint32_t{0}, v.cells, [&](std::uint32_t middle) {
    lane.step(Loop::Search);
    lane.look(middle);
    return v.cellIds[middle] < id;
  });
  lane.leave(Loop::Search);
  return cell;
}

/// The cell of the grid in which a query lies whose cell has this number: itself in a self-join. A
/// query of another cloud has a cell behind those of the grid, which names the same part of space;
/// v.cells where no point of the grid lies there.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t gridCellOf(Lane& lane, const JoinView& v, std::uint32_t queryCell) {
  if (queryCell < v.cells) return queryCell;
  const std::uint64_t id = v.cellIds[queryCell];
  const std::uint32_t cell = searchCell(lane, v, id);
  return cell < v.cells && v.cellIds[cell] == id ? cell : v.cells;
}

/// Which of the coordinates c − 1, c, c + 1 (bits 0, 1, 2) of indexed dimension i hold any point:
/// the range filter by M of [Gowanlock 2018, algorithm 1], line 7.
CLUSTERLOOM_LANE unsigned occupiedSteps(const JoinView& v, int i, std::uint32_t c) {
  const std::uint32_t* m = v.occupied[i];
  const std::uint32_t low = lowerBound(m, std::uint32_t{0}, v.occupiedCount[i], c);
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
template <int D, class Lane, class Visit>
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
  const int most = D > 0 ? D : k;  // a known bound: the loops below unroll
  int step[JoinView::kMaxIndexed] = {};
  std::uint64_t id = own;
  for (int i = 0; i < most; ++i) {
    if (i >= k) break;
    if (allowed[i] == 0) return false;
    step[i] = firstStep(allowed[i]);
    id += (std::uint64_t(step[i]) - 1) * v.stride[i];  // wraps mod 2⁶⁴, and back
  }
  lane.enter(Loop::Cell);
  for (;;) {
    lane.step(Loop::Cell);
    lane.look(id);
    if (onlyHigher ? id > own : id != own) {
      const std::uint32_t cell = searchCell(lane, v, id);
      if (cell < v.cells && v.cellIds[cell] == id && visit(cell)) {
        lane.leave(Loop::Cell);
        return true;
      }
    }
    int i = most - 1;  // an odometer, fastest dimension first
    for (; i >= 0; --i) {
      if (D > 0 && i >= k) continue;
      const int next = nextStep(allowed[i], step[i]);
      if (next < 3) {
        id += std::uint64_t(next - step[i]) * v.stride[i];
        step[i] = next;
        break;
      }
      const int first = firstStep(allowed[i]);
      id -= std::uint64_t(step[i] - first) * v.stride[i];
      step[i] = first;
    }
    if (i < 0) break;
  }
  lane.leave(Loop::Cell);
  return false;
}

/// Calls visit(cell) for every adjacent non-empty cell that the pattern compares `ownCell` with,
/// the own cell left out. full: all of them. lid-unicomp [Gallet 2019, §III-B]: those of higher
/// linear id. unicomp [Gowanlock 2018, §4.2, algorithm 2]: for each dimension in which the own
/// coordinate is odd, the cells that differ there, with any coordinate in the dimensions before and
/// the own one in those after: of two adjacent cells exactly one visits the other. tile: as full
/// (it reads the same cells as rows).
template <int D, class Lane, class Visit>
CLUSTERLOOM_LANE void visitAdjacentCells(Lane& lane, const JoinView& v, std::uint32_t ownCell,
                                         Visit&& visit) {
  const std::uint64_t own = v.cellIds[ownCell];
  const int k = v.indexedDims;
  const int most = D > 0 ? D : k;
  unsigned steps[JoinView::kMaxIndexed] = {};
  unsigned odd = 0;  // bit i: the own coordinate is odd in indexed dimension i
  std::uint64_t rest = own;
  for (int i = 0; i < most; ++i) {
    if (i >= k) break;
    const std::uint64_t c = rest / v.stride[i];
    rest -= c * v.stride[i];
    steps[i] = occupiedSteps(v, i, std::uint32_t(c));
    odd |= unsigned(c & 1U) << i;
  }
  if (v.pattern != AccessPattern::Unicomp) {
    walkCells<D>(lane, v, own, steps, v.pattern == AccessPattern::LidUnicomp, visit);
    return;
  }
  for (int differing = 0; differing < k; ++differing) {
    lane.branch(differing);
    if (((odd >> differing) & 1U) == 0) continue;
    unsigned allowed[JoinView::kMaxIndexed] = {};
    for (int i = 0; i < most; ++i)
      allowed[i] = i < differing ? steps[i] : i == differing ? steps[i] & 5U : 2U;
    if (walkCells<D>(lane, v, own, allowed, false, visit)) return;
  }
}

/// SORTIDU [Gowanlock 2019, §4.3]: of positions [begin, end), sorted by dimension u, those whose
/// difference from the query in u alone does not exceed ε. Tested as the predicate rounds it:
/// fl(dx)·fl(dx) ≤ ε².
CLUSTERLOOM_LANE void narrowBySortedDimension(const JoinView& v, std::uint32_t query,
                                              std::uint32_t& begin, std::uint32_t& end) {
  const double* x = v.columns[v.sortedBy];
  const double centre = x[query];
  const auto outside = [&](std::uint32_t p) {
    const double difference = x[p] - centre;
    return difference * difference > v.squaredEps;
  };
  begin = firstNotBefore(begin, end, [&](std::uint32_t p) { return x[p] < centre && outside(p); });
  end = firstNotBefore(begin, end, [&](std::uint32_t p) { return !(x[p] > centre && outside(p)); });
}

/// The loop over candidates `begin` to `end` − 1, every `stride`-th; returns whether the sink had
/// enough and adds to `calculations`. Whether hits go both ways is known at compile time: a branch
/// on it within the loop diverges the lanes of a warp at every hit.
template <Deciding How, int D, class Real, class Lane, class Sink, bool BothWays>
CLUSTERLOOM_LANE bool scanRange(Lane& lane, const JoinView& v, const QueryPoint<D, Real>& query,
                                std::uint32_t begin, std::uint32_t end, std::uint32_t stride,
                                std::bool_constant<BothWays>, Sink& sink,
                                std::uint64_t& calculations) {
  bool enough = false;
  std::uint32_t candidate = begin;
  lane.enter(Loop::Candidate);
  while (candidate < end && !enough) {
    lane.step(Loop::Candidate);
    lane.look(candidate);
    if (decideNeighbour<D, How>(v, query, candidate)) {
      lane.mark(Loop::Hit);
      enough = sink.hit(query.position, candidate);
      if constexpr (BothWays) sink.hit(candidate, query.position);
    }
    candidate += stride;
  }
  lane.leave(Loop::Candidate);
  if (candidate > begin) calculations += (candidate - begin) / stride;
  // A lane checks for a stop after kManyCandidates; its results are then discarded. A check
  // within the loop would cost short loops a third of their time.
  constexpr std::uint32_t kManyCandidates = 1U << 14;
  return enough || (candidate - begin > kManyCandidates && lane.stopping());
}

/// Compares `query` with the candidates at positions [begin, end), this lane taking every
/// `stride`-th from `begin + phase` on. Each hit goes to the sink as (query, candidate), and under
/// a half pattern outside the own cell also as (candidate, query). A sink's hit() returns true when
/// the query needs no more. Adds to `calculations` the distances decided.
template <int D, class Real, class Lane, class Sink, class BothWays>
CLUSTERLOOM_LANE bool scanCandidates(Lane& lane, const JoinView& v,
                                     const QueryPoint<D, Real>& query, std::uint32_t begin,
                                     std::uint32_t end, std::uint32_t phase, std::uint32_t stride,
                                     BothWays bothWays, Sink& sink, std::uint64_t& calculations) {
  if (v.sortedBy >= 0) narrowBySortedDimension(v, query.position, begin, end);
  begin += phase;
  if constexpr (D == 0 && std::is_same_v<Real, double>)
    if (v.metric != Metric::Euclidean)
      return scanRange<Deciding::ByMetric>(lane, v, query, begin, end, stride, bothWays, sink,
                                           calculations);
  if (!v.shortCircuit)
    return scanRange<Deciding::Whole>(lane, v, query, begin, end, stride, bothWays, sink,
                                      calculations);
  if (std::is_same_v<Real, float> || !v.reordered)  // a sum in float has its band in any order
    return scanRange<Deciding::Short>(lane, v, query, begin, end, stride, bothWays, sink,
                                      calculations);
  return scanRange<Deciding::ShortReordered>(lane, v, query, begin, end, stride, bothWays, sink,
                                             calculations);
}

/// One query point per lane, or `stride` lanes per query point with phases 0 … stride − 1, against
/// the cells the pattern names (GPUCALCGLOBAL, [Gowanlock 2018, algorithm 1]; k threads per point,
/// [Gallet 2019, §III-A]). Returns the distances decided.
template <int D, class Real = double, class Lane, class Sink>
CLUSTERLOOM_LANE std::uint64_t queryByCells(Lane& lane, const JoinView& v, std::uint32_t position,
                                            std::uint32_t queryCell, std::uint32_t phase,
                                            std::uint32_t stride, Sink& sink) {
  std::uint64_t calculations = 0;
  const auto query = readQuery<D, Real>(v, position);
  const std::uint32_t own = gridCellOf(lane, v, queryCell);
  if (own < v.cells && scanCandidates(lane, v, query, v.cellStart[own], v.cellStart[own + 1], phase,
                                      stride, std::false_type{}, sink, calculations))
    return calculations;
  const bool half = isHalf(v.pattern);
  visitAdjacentCells<D>(lane, v, queryCell, [&](std::uint32_t cell) {
    const auto scan = [&](auto bothWays) {
      return scanCandidates(lane, v, query, v.cellStart[cell], v.cellStart[cell + 1], phase, stride,
                            bothWays, sink, calculations);
    };
    return half ? scan(std::true_type{}) : scan(std::false_type{});
  });
  return calculations;
}

/// The tile pattern (ours): as queryByCells, but the adjacent cells are read as 3^(k − 1) rows
/// along the fastest dimension, each a contiguous range of candidates. Where the lanes of a warp
/// hold queries of one cell, or of neighbouring cells of one row, they read the same candidates at
/// once, and the hardware reads them once for all. With a directory a row costs two loads, else a
/// search.
template <int D, class Real = double, class Lane, class Sink>
CLUSTERLOOM_LANE std::uint64_t queryByRows(Lane& lane, const JoinView& v, std::uint32_t position,
                                           std::uint32_t queryCell, std::uint32_t phase,
                                           std::uint32_t stride, Sink& sink) {
  std::uint64_t calculations = 0;
  const auto query = readQuery<D, Real>(v, position);
  const auto scan = [&](std::uint32_t begin, std::uint32_t end) {
    return begin < end && scanCandidates(lane, v, query, begin, end, phase, stride,
                                         std::false_type{}, sink, calculations);
  };
  const int slow = v.indexedDims - 1;
  const int most = D > 0 ? D - 1 : slow;
  int step[JoinView::kMaxIndexed] = {};
  std::uint64_t row = v.cellIds[queryCell];
  for (int i = 0; i < most; ++i)
    if (i < slow) row -= v.stride[i];
  bool enough = false;
  lane.enter(Loop::Cell);
  for (;;) {
    lane.step(Loop::Cell);
    lane.look(row);
    // The row's window along the fastest dimension: three cells at most.
    if (v.directory != nullptr) {
      const std::uint32_t* first = v.directory + row;
      if (v.sortedBy < 0) {
        enough = scan(first[-1], first[2]);
      } else {
        for (int c = -1; c <= 1 && !enough; ++c) enough = scan(first[c], first[c + 1]);
      }
    } else {
      const std::uint32_t begin = searchCell(lane, v, row - 1);
      std::uint32_t end = begin;
      while (end < v.cells && v.cellIds[end] <= row + 1) ++end;
      if (v.sortedBy < 0) {
        enough = begin < end && scan(v.cellStart[begin], v.cellStart[end]);
      } else {
        for (std::uint32_t c = begin; c < end && !enough; ++c)
          enough = scan(v.cellStart[c], v.cellStart[c + 1]);
      }
    }
    int i = most - 1;
    for (; i >= 0; --i) {
      if (D > 0 && i >= slow) continue;
      if (++step[i] < 3) {
        row += v.stride[i];
        break;
      }
      row -= 2 * v.stride[i];
      step[i] = 0;
    }
    if (i < 0 || enough) break;
  }
  lane.leave(Loop::Cell);
  return calculations;
}

}  // namespace clusterloom
