#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/lane.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/grid/stretches.h"

namespace clusterloom {

// Adaptive slices (ours): one dimension cut by a table of bounds instead of into parts of one
// length, for dimensions that span so many ε that their parts could not be numbered. Where points
// are dense, a slice is as narrow as it may be. Where there are no points, one wide slice covers
// the gap. Where points are sparse, neighbouring slices can be merged.

/// The half-open interval from `begin` to the begin of the next slice. An empty one has no points,
/// and undefined `low` and `high`.
struct Slice {
  double begin;
  double low;  ///< bounds of its points; points [low, high] lie in the slice
  double high;
  std::uint32_t points;  ///< about how many; 0 only when there are none
};

/// The slices of one dimension, ascending, and where the last one ends.
///
/// The contract, for `reach` r: any r consecutive slices between two others are together so wide
/// that fl(w)·fl(w) > fl(ε·ε), w = fl(end − begin). Rounding is monotone, so two points with r or
/// more slices between them have a difference whose rounded square, and with it every canonical sum
/// that contains it, exceeds fl(ε·ε): pairs that the predicate accepts lie at most r slices apart.
/// Uniting consecutive slices keeps the contract.
struct SliceList {
  std::vector<Slice> slices;
  double end = 0;
};

/// The narrowest slices that the contract allows: where points are they follow each other in steps
/// of about ε / reach, and a gap is `reach` empty slices, so that points on both sides of it are
/// not adjacent. At most 1 + reach slices a stretch and ε / reach of it. At least one stretch.
/// Cancelled when stopped.
Result<SliceList> narrowestSlices(const std::vector<Stretch>& stretches, double eps, int reach,
                                  const Task& task);

/// Unites sparse slices until there are at most `most` ≥ 1: the result has dense slices, slices
/// with about equal numbers of points, and gaps. Cancelled when stopped.
Result<SliceList> mergedSlices(SliceList list, std::size_t most, const Task& task);

/// Number of the slice that holds x ≥ bounds[0]: the last whose bound is ≤ x. `bounds` has
/// `slices` ≥ 1 ascending lower bounds.
CLUSTERLOOM_LANE std::uint32_t sliceOf(const double* bounds, std::uint32_t slices, double x) {
  std::uint32_t first = 0;
  while (slices > 1) {
    const std::uint32_t half = slices / 2;
    if (bounds[first + half] <= x) first += half;
    slices -= half;
  }
  return first;
}

/// sliceOf of the values from `begin` on in the slices between `bounds`, several at a time: their
/// searches wait for memory together.
void slicesOf(const std::vector<double>& bounds, const Coordinates& values, std::size_t begin,
              std::span<std::uint32_t> found);

}  // namespace clusterloom
