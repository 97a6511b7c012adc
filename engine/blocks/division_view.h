#pragma once

#include <cstdint>

#include "engine/core/lane.h"
#include "engine/grid/slices.h"

// Questions to a division of space about one point, for CPU and GPU: its cell, and the cells and
// ranks that may own its neighbours.

namespace clusterloom {

/// A SpaceDivision (engine/blocks/space_division.h) as plain pointers.
struct DivisionView {
  static constexpr int kMostCuts = 3;
  /// Ranks that a mask can name.
  static constexpr int kMostRanks = 64;

  int cuts = 0;
  std::uint32_t dims[kMostCuts] = {};    ///< the dimension of each cut
  const double* bounds[kMostCuts] = {};  ///< lower bounds of its slices, and +∞
  std::uint32_t slices[kMostCuts] = {};
  std::uint32_t stride[kMostCuts] = {};  ///< cell = Σ slice · stride
  const int* owner = nullptr;            ///< rank of each cell, negative for none
};

/// Where to search for a slice: parts of one length between the outermost finite bounds, and for
/// each the slices that its points can be in. A search of one or two steps then replaces one
/// through all bounds where slices are about equally long.
struct SliceGuess {
  static constexpr std::uint32_t kParts = 1024;

  double begin = 0;
  double scale = 0;  ///< parts a unit; 0 puts everything into one part
  /// Points of part b lie in the slices first[b] … first[b + 1]; kParts + 1 entries.
  const std::uint16_t* first = nullptr;

  CLUSTERLOOM_LANE std::uint32_t part(double x) const {
    const double place = (x - begin) * scale;
    if (!(place > 0)) return 0;
    return place < kParts - 1 ? std::uint32_t(place) : kParts - 1;
  }
  /// sliceOf(bounds, …, x), exactly. Rounding is monotone, so a bound in a part before that of x is
  /// below x, and one in a part after it is above.
  CLUSTERLOOM_LANE std::uint32_t slice(const double* bounds, double x) const {
    const std::uint32_t b = part(x);
    return first[b] + sliceOf(bounds + first[b], first[b + 1] - first[b] + 1U, x);
  }
};

/// The cell of a point whose coordinate in dimension j is coordinate(j).
template <class Coordinate>
CLUSTERLOOM_LANE std::uint32_t divisionCell(const DivisionView& v, const Coordinate& coordinate) {
  std::uint32_t cell = 0;
  for (int i = 0; i < v.cuts; ++i)
    cell += sliceOf(v.bounds[i], v.slices[i], coordinate(v.dims[i])) * v.stride[i];
  return cell;
}

/// Calls visit(cell) for every cell that may hold a point within ε of this one, its own included,
/// each once. Continues from cut I with the cell and the sum of squared gaps so far, or, where only
/// the longest gap counts, its square. Why no cell is missed: see NearOwners.
template <int I, bool kLongest = false, class Coordinate, class Visit>
CLUSTERLOOM_LANE void visitNearCells(const DivisionView& v, const Coordinate& coordinate,
                                     double squaredEps, std::uint32_t cell, double sum,
                                     const Visit& visit) {
  if (I == v.cuts) {
    visit(cell);
    return;
  }
  if constexpr (I < DivisionView::kMostCuts) {
    const double* const bounds = v.bounds[I];
    const double x = coordinate(v.dims[I]);
    const std::uint32_t slice = sliceOf(bounds, v.slices[I], x);
    const auto next = [&](std::uint32_t s, double squaredGap) {
      const double all = !kLongest ? sum + squaredGap : squaredGap > sum ? squaredGap : sum;
      if (all <= squaredEps)
        visitNearCells<I + 1, kLongest>(v, coordinate, squaredEps, cell + s * v.stride[I], all,
                                        visit);
    };
    next(slice, 0.0);
    for (std::uint32_t below = slice; below > 0; --below) {
      const double gap = x - bounds[below];
      if (gap * gap > squaredEps) break;
      next(below - 1, gap * gap);
    }
    for (std::uint32_t above = slice + 1; above < v.slices[I]; ++above) {
      const double gap = bounds[above] - x;
      if (gap * gap > squaredEps) break;
      next(above, gap * gap);
    }
  }
}

/// Bit r: rank r ≠ self may own neighbours of the point. There are at most kMostRanks ranks.
template <class Coordinate>
CLUSTERLOOM_LANE std::uint64_t nearRanksMask(const DivisionView& v, const Coordinate& coordinate,
                                             double squaredEps, int self) {
  std::uint64_t mask = 0;
  visitNearCells<0>(v, coordinate, squaredEps, 0, 0.0, [&](std::uint32_t cell) {
    const int rank = v.owner[cell];
    if (rank >= 0 && rank != self) mask |= std::uint64_t{1} << rank;
  });
  return mask;
}

}  // namespace clusterloom
