#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/hierarchy/eps_curve.h"

namespace clusterloom {

/// Reasons against an ε.
enum class EpsFlag {
  AllNoise,     ///< no point is core
  MostlyNoise,  ///< more than half of the points
  OneCluster,   ///< that holds nearly all points that are not noise, of several clusters elsewhere
  Unstable,     ///< a change of ε by less than 5 % changes the number of larger clusters
};

/// Advice on one ε from the exact curve.
struct EpsAdvice {
  std::uint32_t clusters = 0;
  std::uint32_t noise = 0;    ///< points
  std::uint32_t largest = 0;  ///< points of the largest cluster
  double from = 0;          ///< the number of clusters is the same from here; 0: from the smallest
  double to = 0;            ///< up to here; +∞: up to the largest
  std::uint32_t below = 0;  ///< clusters just below `from`; the same number where `from` is 0
  std::uint32_t above = 0;  ///< clusters at `to`
  std::vector<EpsFlag> flags;
  /// A change of ε by less than 5 % changes the number of clusters. Without EpsFlag::Unstable only
  /// the number of clusters below half a percent of the points changes (EpsCurve::larger).
  bool numberChangesNearby = false;
};

/// Whether a cluster of `largest` points is nearly all of `clustered` points that are not noise.
bool isNearlyAll(std::uint64_t largest, std::uint64_t clustered);

/// The advice for an ε > 0 on a cloud of `points` points.
EpsAdvice adviceAt(const EpsCurve& curve, std::size_t points, double eps);

/// An ε worth trying: the middle of a range in which the number of clusters stays the same.
struct EpsChoice {
  double eps = 0;
  Plateau plateau;
  std::uint32_t noise = 0;  ///< points, at that ε
};

/// The middle of a plateau, geometrically; a little above its beginning where it has no end.
double middleOf(const Plateau& plateau);

/// At most `most` choices from the plateaus of a curve, longest first; flagged ones come last.
std::vector<EpsChoice> stableChoices(const EpsCurve& curve, const std::vector<Plateau>& plateaus,
                                     std::size_t points, std::size_t most);

}  // namespace clusterloom
