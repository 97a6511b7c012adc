#include "engine/join/distance_bins.h"

#include "engine/core/number_text.h"
#include "engine/core/predicate.h"

namespace clusterloom {

Result<DistanceBins> makeDistanceBins(double eps, int bins) {
  if (auto valid = epsSquared(eps); !valid) return tl::unexpected(valid.error());
  if (bins < 1 || bins > DistanceBins::kMost)
    return badCall("A histogram has 1 to " + std::to_string(DistanceBins::kMost) + " bins, not " +
                   std::to_string(bins) + ".");
  DistanceBins result;
  for (int i = 1; i <= bins; ++i) {
    const double upper = i == bins ? eps : eps * i / bins;
    const auto squared = epsSquared(upper);
    // ε itself is valid: bins only make it smaller.
    if (!squared)
      return badCall("The bins are too narrow: the first one ends at " + roundTripText(upper) +
                     ", whose square underflows. Use fewer bins, or a larger ε.");
    result.upper.push_back(upper);
    result.squared.push_back(*squared);
  }
  return result;
}

std::vector<std::uint64_t> sumOfCopies(const std::vector<std::uint64_t>& counts, std::size_t bins) {
  std::vector<std::uint64_t> sums(bins, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i % bins] += counts[i];
  return sums;
}

}  // namespace clusterloom
