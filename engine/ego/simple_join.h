#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/ego/ego_index.h"
#include "engine/join/single_precision.h"

namespace clusterloom {

/// The input of the simple join: the coordinates in EGO order, in double or, with precision 32, as
/// offsets in float, and how a sum of squares decides a pair. Every pair gets the answer of the
/// canonical predicate.
///
/// Up to kCanonicalDims dimensions in double are added in the cloud's own order: the sum is the
/// canonical one. More are added in another order, and floats are rounded, so that a sum between
/// the two limits decides nothing, and the predicate itself decides.
template <class Real>
struct SimpleJoin {
  static constexpr int kCanonicalDims = 8;

  int dims = 0;
  int wide = 0;                            ///< EgoIndex::wide
  const Real* columns[kMaxGridDims] = {};  ///< in the order in which dimensions are added
  Real acceptBelow = 0;                    ///< a sum ≤ this is certainly inside …
  Real rejectAbove = 0;                    ///< … and one > this certainly outside
  const double* exact[kMaxGridDims] = {};  ///< coordinates in the cloud's own order
  double squaredEps = 0;
};

/// A counter as wide as a Real, so that a vector of comparisons can be added to one of counters.
template <class Real>
using CounterOf = std::conditional_t<std::is_same_v<Real, float>, std::int32_t, std::int64_t>;

/// In double. Keeps references to `index`.
SimpleJoin<double> simpleJoinOf(const EgoIndex& index, double squaredEps);

/// Owns the offsets of precision 32 in EGO order.
struct SingleOffsets {
  std::vector<std::vector<float>> columns;
  SimpleJoin<float> join;
};
/// In float: `single` was planned without an indexed dimension, so that no difference is folded
/// (sequences that are compared may be far apart), and in EGO order. Parallel.
SingleOffsets singleOffsetsOf(const EgoIndex& index, const SinglePrecision& single,
                              double squaredEps);

/// A half-open range of positions.
struct EgoRange {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Simple join of two different sequences [Gallet 2020, §3.2.3]: adds to rows[i] the neighbours of
/// a.begin + i in b and to columns[i] those of b.begin + i in a. `start` is the place in EGO order
/// of the first dimension in which the sequences may be apart; from there distances are added and
/// cut short where they are not canonical.
template <class Real>
void countPairs(const SimpleJoin<Real>& join, EgoRange a, EgoRange b, int start,
                CounterOf<Real>* rows, CounterOf<Real>* columns);

/// Neighbours of position p in b.
template <class Real>
std::uint32_t countNeighbours(const SimpleJoin<Real>& join, std::uint32_t p, EgoRange b, int start);

/// Neighbours of position p in b, which has at most 64 positions: bit i is b.begin + i.
template <class Real>
std::uint64_t neighboursOf(const SimpleJoin<Real>& join, std::uint32_t p, EgoRange b, int start);

}  // namespace clusterloom
