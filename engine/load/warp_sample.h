#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace clusterloom {

/// `size` of `all` warps, ascending: the warps are divided into `size` strata of consecutive ones,
/// as equal as possible, and one is drawn from each. The same seed gives the same sample.
std::vector<std::uint32_t> sampleWarps(std::uint32_t all, std::uint32_t size, std::uint64_t seed);

/// First warp of each stratum of such a sample, and the end.
std::vector<std::uint32_t> strataOf(std::uint32_t all, std::uint32_t size);

/// Σ numerator / Σ denominator over a sample, with its standard error.
struct Ratio {
  double value = 0;
  double error = 0;
};

/// The ratio estimator over a sample of one warp per stratum. The variance cannot be estimated
/// within strata; neighbouring strata are combined (collapsed strata), which overstates it
/// slightly. The error is 0 when all warps are in the sample, and infinite when it holds one warp
/// of several.
Ratio ratioOf(std::span<const double> numerator, std::span<const double> denominator,
              std::uint32_t all);

/// The standard error of the sum of these estimates, one of each stratum of a sample from `all`
/// warps, by collapsed strata as in ratioOf.
double errorOfSum(std::span<const double> estimates, std::uint32_t all);

}  // namespace clusterloom
