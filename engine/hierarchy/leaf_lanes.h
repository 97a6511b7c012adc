#pragma once

#include <cstdint>
#include <cstring>

#include "engine/core/instruction_sets.h"
#include "engine/hierarchy/leaf_tree.h"

namespace clusterloom {

// Distances between the points of leaves of a LeafTree, a whole leaf at once. D is the number of
// dimensions, or 0 for any.
//
// Why no point of a box is missed: for a query q, a box [low, high] and a point x in it, the gap
// g = max(fl(low − q), fl(q − high), 0) of a dimension is at most |fl(x − q)|, since rounding is
// monotone. Products and sums of such terms are monotone for the same reason. Hence the sum of
// fl(g·g) over the dimensions, added in the cloud's own order, is at most the canonical squared
// distance of q and x. With the gap between two boxes in place of g the same holds for all points
// of both.
//
// In a periodic box (`Measure::Boxed`) coordinates are wrapped, and all differences and sums with
// periods are exact (periodic_box.h). The difference of a dimension is then min(|d|, L − |d|), and
// the gap to an interval the least of those to it and to its images, which are L + (low − q) and L
// + (q − high) away. A dimension without a period has L = +∞, so that nothing changes there.
//
// For the metrics of metric.h, lengths replace distances: sums or maxima of absolute differences,
// squared at the end. These too are monotone in every difference, so that the same bounds hold, and
// lengths of the largest differences are bounds from above.

/// The distance that searches compute between two points.
enum class Measure { Euclidean, Boxed, Manhattan, Chebyshev };

inline Measure measureOf(const LeafTree& tree) {
  if (tree.metric == Metric::Manhattan) return Measure::Manhattan;
  if (tree.metric == Metric::Chebyshev) return Measure::Chebyshev;
  return tree.periods.empty() ? Measure::Euclidean : Measure::Boxed;
}

using Eight = double __attribute__((vector_size(64)));
using EightBits = std::int64_t __attribute__((vector_size(64)));

/// A value for each of the lanes of a leaf.
struct Lanes {
  Eight first;
  Eight second;
};

CLUSTERLOOM_INLINE Lanes load(const double* values) {
  Lanes lanes;
  std::memcpy(&lanes.first, values, sizeof lanes.first);
  std::memcpy(&lanes.second, values + 8, sizeof lanes.second);
  return lanes;
}

CLUSTERLOOM_INLINE Lanes allLanes(double value) {
  const Eight all = Eight{} + value;
  return {all, all};
}

/// Bit i: the comparison of lane i was true.
CLUSTERLOOM_INLINE std::uint32_t laneBits(const EightBits& first, const EightBits& second) {
  constexpr EightBits kLow = {1, 2, 4, 8, 16, 32, 64, 128};
  constexpr EightBits kHigh = {256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  const EightBits hits = (first & kLow) | (second & kHigh);
  const auto four = __builtin_shufflevector(hits, hits, 0, 1, 2, 3) |
                    __builtin_shufflevector(hits, hits, 4, 5, 6, 7);
  const auto two =
      __builtin_shufflevector(four, four, 0, 1) | __builtin_shufflevector(four, four, 2, 3);
  return std::uint32_t(two[0] | two[1]);
}

/// Bit i: the value of lane i is below that of `limits`. NaN never is.
CLUSTERLOOM_INLINE std::uint32_t below(const Lanes& values, const Lanes& limits) {
  return laneBits(values.first < limits.first, values.second < limits.second);
}

/// Bit i: the value of lane i is at most that of `limits`. NaN never is.
CLUSTERLOOM_INLINE std::uint32_t atMost(const Lanes& values, const Lanes& limits) {
  return laneBits(values.first <= limits.first, values.second <= limits.second);
}

// Values of vectors are passed by reference: without AVX-512 they have no registers to be returned
// in.

/// Takes the shorter way round a dimension of a box; drops the sign.
template <Measure M, class Values>
CLUSTERLOOM_INLINE void takeShorterWay([[maybe_unused]] Values& difference,
                                       [[maybe_unused]] const double* periods,
                                       [[maybe_unused]] std::size_t j) {
  if constexpr (M == Measure::Boxed) {
    // The order of the comparisons keeps NaN, which marks lanes without a point.
    const Values length = difference < 0.0 ? -difference : difference;
    const Values round = periods[j] - length;
    difference = round < length ? round : length;
  }
}

/// Adds the difference of one dimension to a length, or a gap, which is not negative. The order of
/// the comparisons keeps NaN.
template <Measure M, class Values>
CLUSTERLOOM_INLINE void addToLength(Values& length, const Values& difference) {
  if constexpr (M == Measure::Manhattan || M == Measure::Chebyshev) {
    const Values size = difference < 0.0 ? -difference : difference;
    if constexpr (M == Measure::Manhattan)
      length += size;
    else
      length = size <= length ? length : size;
  } else {
    length += difference * difference;
  }
}

/// The square of a length. Euclidean lengths are squares already.
template <Measure M, class Values>
CLUSTERLOOM_INLINE void squareLength([[maybe_unused]] Values& length) {
  if constexpr (M == Measure::Manhattan || M == Measure::Chebyshev) length = length * length;
}
template <Measure M>
CLUSTERLOOM_INLINE void squareLengths(Lanes& lengths) {
  squareLength<M>(lengths.first);
  squareLength<M>(lengths.second);
}

/// The gap to an interval that begins `before` after a coordinate and ends `after` before it.
template <Measure M, class Values>
CLUSTERLOOM_INLINE void findGap(const Values& before, const Values& after,
                                [[maybe_unused]] const double* periods,
                                [[maybe_unused]] std::size_t j, Values& gap) {
  const Values larger = before > after ? before : after;
  gap = larger > 0.0 ? larger : Values{};
  if constexpr (M == Measure::Boxed) {
    const Values round = periods[j] + (before < after ? before : after);
    gap = round < gap ? round : gap;
  }
}

// Dimensions added between two checks whether any lane is still below the limit, where the number
// of dimensions is not known at compile time.
inline constexpr std::size_t kDimsAtOnce = 8;

/// Squared lengths, of Euclidean distances the canonical ones, of query lane `query` of leaf `own`
/// and the points of a leaf. Returns false, with incomplete values, once no lane passes `mayPass`.
template <int D, Measure M, class MayPass>
CLUSTERLOOM_INLINE bool addUpLengths(const double* own, std::uint32_t query, const double* leaf,
                                     std::size_t dims, const double* periods,
                                     const MayPass& mayPass, Lanes& sums) {
  sums = Lanes{};
  const std::size_t n = D > 0 ? D : dims;
  for (std::size_t j = 0; j < n; ++j) {
    const double q = own[j * kLeafSize + query];
    const Lanes x = load(leaf + j * kLeafSize);
    Eight first = q - x.first;
    Eight second = q - x.second;
    takeShorterWay<M>(first, periods, j);
    takeShorterWay<M>(second, periods, j);
    addToLength<M>(sums.first, first);
    addToLength<M>(sums.second, second);
    // Partial lengths never decrease.
    if (D == 0 && (j + 1) % kDimsAtOnce == 0) {
      Lanes partial = sums;
      squareLengths<M>(partial);
      if (mayPass(partial) == 0) return false;
    }
  }
  squareLengths<M>(sums);
  return true;
}

/// The lengths of addUpLengths. Returns the lanes at most `limit` away; the others' values may be
/// incomplete.
template <int D, Measure M>
CLUSTERLOOM_INLINE std::uint32_t measure(const double* own, std::uint32_t query, const double* leaf,
                                         std::size_t dims, const double* periods, double limit,
                                         double* squared) {
  const Lanes limits = allLanes(limit);
  const auto mayPass = [&](const Lanes& partial) { return atMost(partial, limits); };
  Lanes sums;
  if (!addUpLengths<D, M>(own, query, leaf, dims, periods, mayPass, sums)) return 0;
  std::memcpy(squared, &sums.first, sizeof sums.first);
  std::memcpy(squared + 8, &sums.second, sizeof sums.second);
  return atMost(sums, limits);
}

/// Mutual reachability, squared, of query lane `query` of leaf `own` and the points of a leaf whose
/// squared core distances are `cores`. Returns the lanes whose value is below `limit`; the others'
/// values may be incomplete. Lanes without a point are never among them.
template <int D, Measure M>
CLUSTERLOOM_INLINE std::uint32_t measureReach(const double* own, std::uint32_t query,
                                              const double* leaf, const double* cores,
                                              std::size_t dims, const double* periods, double core,
                                              double limit, double* weights) {
  const Lanes limits = allLanes(limit);
  const Lanes coreOfQuery = allLanes(core);
  const auto mayPass = [&](const Lanes& partial) { return below(partial, limits); };
  Lanes sums;
  if (!addUpLengths<D, M>(own, query, leaf, dims, periods, mayPass, sums)) return 0;
  // The order of the comparisons keeps NaN, which marks lanes without a point.
  const Lanes coreOfOther = load(cores);
  sums.first = sums.first < coreOfOther.first ? coreOfOther.first : sums.first;
  sums.second = sums.second < coreOfOther.second ? coreOfOther.second : sums.second;
  sums.first = sums.first < coreOfQuery.first ? coreOfQuery.first : sums.first;
  sums.second = sums.second < coreOfQuery.second ? coreOfQuery.second : sums.second;
  std::memcpy(weights, &sums.first, sizeof sums.first);
  std::memcpy(weights + 8, &sums.second, sizeof sums.second);
  return below(sums, limits);
}

/// Adds each x's gap to [low, high] in dimension j to a length.
template <Measure M>
CLUSTERLOOM_INLINE void addGap(const Eight& x, double low, double high, const double* periods,
                               std::size_t j, Eight& sum) {
  Eight gap;
  findGap<M>(Eight(low - x), Eight(x - high), periods, j, gap);
  addToLength<M>(sum, gap);
}

/// Bounds below the squared distances of the points of leaf `own` and all points of a box, whose
/// lowest coordinates, then highest, are at `low`.
template <int D, Measure M>
CLUSTERLOOM_INLINE Lanes boundsTo(const double* own, const double* low, std::size_t dims,
                                  const double* periods) {
  const std::size_t n = D > 0 ? D : dims;
  const double* high = low + n;
  Lanes sums{};
  for (std::size_t j = 0; j < n; ++j) {
    const Lanes x = load(own + j * kLeafSize);
    addGap<M>(x.first, low[j], high[j], periods, j, sums.first);
    addGap<M>(x.second, low[j], high[j], periods, j, sums.second);
  }
  squareLengths<M>(sums);
  return sums;
}

/// A bound below all squared distances of the points of two boxes.
template <int D, Measure M>
CLUSTERLOOM_INLINE double boundOf(const double* lowA, const double* lowB, std::size_t dims,
                                  const double* periods) {
  const std::size_t n = D > 0 ? D : dims;
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double gap = 0;
    findGap<M>(lowB[j] - lowA[n + j], lowA[j] - lowB[n + j], periods, j, gap);
    addToLength<M>(sum, gap);
  }
  squareLength<M>(sum);
  return sum;
}

}  // namespace clusterloom
