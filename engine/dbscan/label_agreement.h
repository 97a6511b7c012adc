#pragma once

#include <cstdint>
#include <span>

#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Figures of one labelling. Labels below 0 are noise.
struct LabelFigures {
  std::uint64_t points = 0;
  std::uint64_t clusters = 0;  ///< that have points
  std::uint64_t noise = 0;
  std::uint64_t largest = 0;  ///< points of the largest cluster, noise not counted
};

/// How two labellings of the same points agree, in unordered pairs of different points. Equal
/// numbers are one label, so noise (−1) counts as one more cluster, as in scikit-learn's
/// adjusted_rand_score.
struct LabelAgreement {
  std::uint64_t points = 0;
  std::uint64_t pairs = 0;      ///< n (n − 1) / 2
  std::uint64_t togetherA = 0;  ///< pairs with one label in A
  std::uint64_t togetherB = 0;  ///< pairs with one label in B
  std::uint64_t together = 0;   ///< pairs with one label in A and one label in B
  LabelFigures a;               ///< of A
  LabelFigures b;               ///< of B

  /// The adjusted Rand index [Hubert 1985, eq. 5]: 1 where both divide the points alike, 0 as
  /// expected of labels dealt at random with the same cluster sizes; at least −0.5. Numerator and
  /// denominator are exact integers; the quotient is rounded. 1 where no pair tells the labellings
  /// apart, such as for fewer than two points.
  double adjustedRandIndex() const;
};

/// Counts the pairs, in time linear in the number of points. The labels may be any numbers. At most
/// 2³¹ − 1 points. BadInput for labels of different numbers of points; Cancelled when stopped.
Result<LabelAgreement> compareLabels(std::span<const std::int32_t> a,
                                     std::span<const std::int32_t> b, const Task& task = {});

/// The figures of one labelling. Cancelled when stopped.
Result<LabelFigures> figuresOf(std::span<const std::int32_t> labels, const Task& task = {});

}  // namespace clusterloom
