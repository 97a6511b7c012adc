#include "engine/load/warp_sample.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace clusterloom {

std::vector<std::uint32_t> strataOf(std::uint32_t all, std::uint32_t size) {
  std::vector<std::uint32_t> begin(size + std::size_t{1});
  for (std::uint32_t i = 0; i <= size; ++i) begin[i] = std::uint32_t(std::uint64_t(i) * all / size);
  return begin;
}

std::vector<std::uint32_t> sampleWarps(std::uint32_t all, std::uint32_t size, std::uint64_t seed) {
  const std::vector<std::uint32_t> begin = strataOf(all, size);
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> sample(size);
  for (std::uint32_t i = 0; i < size; ++i)  // a remainder's bias, 2⁻³² at most, does not matter
    sample[i] = begin[i] + std::uint32_t(random() % (begin[i + 1] - begin[i]));
  return sample;
}

double errorOfSum(std::span<const double> estimates, std::uint32_t all) {
  const std::size_t n = estimates.size();
  if (n >= all) return 0;
  if (n < 2) return std::numeric_limits<double>::infinity();
  // Σ over pairs of strata of the squared difference estimates the variance of the sum; a last
  // stratum without a partner is taken to add as much as the others.
  double variance = 0;
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    const double difference = estimates[i] - estimates[i + 1];
    variance += difference * difference;
  }
  variance *= double(n) / double(n - n % 2);
  variance *= 1.0 - double(n) / double(all);
  return std::sqrt(variance);
}

Ratio ratioOf(std::span<const double> numerator, std::span<const double> denominator,
              std::uint32_t all) {
  const double top = std::accumulate(numerator.begin(), numerator.end(), 0.0);
  const double bottom = std::accumulate(denominator.begin(), denominator.end(), 0.0);
  if (!(bottom > 0)) return {};
  Ratio ratio{.value = top / bottom};
  std::vector<double> residuals;
  for (std::size_t i = 0; i < numerator.size(); ++i)
    residuals.push_back(numerator[i] - ratio.value * denominator[i]);
  ratio.error = errorOfSum(residuals, all) / bottom;
  return ratio;
}

}  // namespace clusterloom
