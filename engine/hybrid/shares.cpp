#include "engine/hybrid/shares.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {

DivisionForecast forecastDivision(const SecondsAlone& atReference, double referenceEps,
                                  double volumeRatio) {
  DivisionForecast forecast{.referenceEps = referenceEps,
                            .volumeRatio = volumeRatio,
                            .gpuAlone = atReference.gpu * volumeRatio,
                            .cpuAlone = atReference.cpu * volumeRatio};
  if (forecast.gpuAlone > 0 && forecast.cpuAlone > 0)
    forecast.together = 1 / (1 / forecast.gpuAlone + 1 / forecast.cpuAlone);
  return forecast;
}

double gpuShare(double cpuSeconds, double gpuSeconds) {
  const double both = cpuSeconds + gpuSeconds;
  return both > 0 ? cpuSeconds / both : 0.5;
}

std::uint32_t boundaryByQueries(std::uint32_t queries, double share) {
  return std::uint32_t(std::llround(std::clamp(share, 0.0, 1.0) * queries));
}

std::uint32_t boundaryByCandidates(const OrderedQueries& queries, double share) {
  const auto& before = queries.candidatesBefore;
  const double wanted = std::clamp(share, 0.0, 1.0) * double(before.back());
  const auto at = std::lower_bound(before.begin(), before.end(), wanted,
                                   [](std::uint64_t sum, double w) { return double(sum) < w; });
  if (at == before.end()) return queries.size();
  auto boundary = std::uint32_t(at - before.begin());
  if (boundary > 0 && wanted - double(before[boundary - 1]) <= double(before[boundary]) - wanted)
    --boundary;
  return boundary;
}

}  // namespace clusterloom
