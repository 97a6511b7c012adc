#include "engine/hierarchy/eps_advice.h"

#include <algorithm>
#include <cmath>

#include "engine/core/infinity.h"
#include "engine/core/predicate.h"

namespace clusterloom {
namespace {

constexpr double kUnstable = 1.05;      // factor of ε to the next change
constexpr double kNearlyAll = 0.95;     // of the points that are not noise
constexpr double kEndlessFactor = 1.1;  // above the beginning of a range without an end

}  // namespace

bool isNearlyAll(std::uint64_t largest, std::uint64_t clustered) {
  return double(largest) >= kNearlyAll * double(clustered);
}

EpsAdvice adviceAt(const EpsCurve& curve, std::size_t points, double eps) {
  EpsAdvice advice;
  const auto n = std::uint32_t(points);
  const auto after = std::upper_bound(curve.eps.begin(), curve.eps.end(), eps);
  const auto next = std::size_t(after - curve.eps.begin());
  // Row i − 1 of this numbering is row i of the curve's; 0 is what holds below its first row.
  const auto clustersOf = [&](std::size_t i) { return i == 0 ? 0U : curve.clusters[i - 1]; };
  advice.clusters = clustersOf(next);
  advice.noise = next == 0 ? n : curve.noise[next - 1];
  advice.largest = next == 0 ? 0 : curve.largest[next - 1];

  std::size_t first = next;
  while (first > 0 && clustersOf(first - 1) == advice.clusters) --first;
  std::size_t end = next + 1;
  while (end <= curve.rows() && clustersOf(end) == advice.clusters) ++end;
  advice.from = first == 0 ? 0 : curve.eps[first - 1];
  advice.below = first == 0 ? advice.clusters : clustersOf(first - 1);
  // Where duplicates are core, the first row holds from the smallest ε there is.
  if (advice.from > 0 && !epsSquared(std::nextafter(advice.from, 0.0))) {
    advice.from = 0;
    advice.below = advice.clusters;
  }
  advice.to = end > curve.rows() ? kInfinity : curve.eps[end - 1];
  advice.above = end > curve.rows() ? advice.clusters : clustersOf(end);

  if (advice.noise == n) {
    advice.flags.push_back(EpsFlag::AllNoise);
    return advice;
  }
  if (2 * std::uint64_t{advice.noise} > n) advice.flags.push_back(EpsFlag::MostlyNoise);
  const bool severalElsewhere = std::any_of(curve.clusters.begin(), curve.clusters.end(),
                                            [](std::uint32_t clusters) { return clusters > 1; });
  if (severalElsewhere && isNearlyAll(advice.largest, n - advice.noise))
    advice.flags.push_back(EpsFlag::OneCluster);
  const bool nearLow = advice.from > 0 && eps < advice.from * kUnstable;
  const bool nearHigh = std::isfinite(advice.to) && advice.to < eps * kUnstable;
  advice.numberChangesNearby = nearLow || nearHigh;
  const bool unstable = std::any_of(curve.larger.begin(), curve.larger.end(), [&](const auto& now) {
    return eps < now.eps * kUnstable && now.eps < eps * kUnstable;
  });
  if (unstable) advice.flags.push_back(EpsFlag::Unstable);
  return advice;
}

double middleOf(const Plateau& plateau) {
  // Of two legal values of ε the product is finite and normal, as their squares are.
  return std::isinf(plateau.to) ? plateau.from * kEndlessFactor
                                : std::sqrt(plateau.from * plateau.to);
}

std::vector<EpsChoice> stableChoices(const EpsCurve& curve, const std::vector<Plateau>& plateaus,
                                     std::size_t points, std::size_t most) {
  struct Rated {
    EpsChoice choice;
    bool flagged;
  };
  std::vector<Rated> rated;
  for (const Plateau& plateau : plateaus) {
    const double eps = middleOf(plateau);
    const EpsAdvice advice = adviceAt(curve, points, eps);
    rated.push_back({{eps, plateau, advice.noise}, !advice.flags.empty()});
  }
  std::stable_partition(rated.begin(), rated.end(), [](const Rated& r) { return !r.flagged; });
  std::vector<EpsChoice> choices;
  for (std::size_t i = 0; i < std::min(most, rated.size()); ++i) choices.push_back(rated[i].choice);
  return choices;
}

}  // namespace clusterloom
