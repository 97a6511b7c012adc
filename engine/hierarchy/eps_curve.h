#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/hierarchy/hierarchy.h"

namespace clusterloom {

/// The figures of DBSCAN at every ε for one minPts, exactly. Row i holds for ε from eps[i]
/// (included) to eps[i + 1] (not included), the last row for every larger ε. Below the first row
/// all points are noise. Each row differs from the one before.
struct EpsCurve {
  /// A number of larger clusters, which holds from eps to that of the next.
  struct Larger {
    double eps = 0;
    std::uint32_t clusters = 0;
  };

  LargeArray<double> eps;  ///< ascending; the smallest legal double at which the row holds
  LargeArray<std::uint32_t> clusters;
  LargeArray<std::uint32_t> noise;    ///< points
  LargeArray<std::uint32_t> largest;  ///< points of the largest cluster, border points included
  /// How many clusters have leastSizeWithMeaning points or more (stable_partition.h), border points
  /// included: the values of ε at which that changes. None of them below the first.
  std::vector<Larger> larger;

  std::size_t rows() const { return eps.size(); }
  /// The first row above the smallest legal ε, at which only points at one place are neighbours;
  /// rows() where there is none.
  std::size_t firstApart() const;
};

/// The curve of a hierarchy. Cancelled; TooLarge where memory is short.
Result<EpsCurve> epsCurve(const Hierarchy& hierarchy, const Task& task = {});

/// A range of ε, from `from` (included) to `to` (not included; +∞ for the last one), in which the
/// number of clusters stays the same.
struct Plateau {
  double from = 0;
  double to = 0;
  std::uint32_t clusters = 0;
};

/// The longest ranges with at least two clusters, by to / from, longest first, at most `most`. The
/// last one ends at `end`.
std::vector<Plateau> longestPlateaus(const EpsCurve& curve, std::size_t most,
                                     double end = kInfinity);

}  // namespace clusterloom
