#include "engine/hybrid/shares.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {

namespace {

// A slower side below this share of the faster side's throughput gains less than the error of the
// forecast.
constexpr double kLeastRatio = 0.08;
// Of the faster side's seconds alone: what sharing has to stay below.
constexpr double kClearlyFaster = 0.97;

}  // namespace

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

bool mayPay(const SideRates& rates) {
  return rates.known() &&
         std::min(rates.gpu, rates.cpu) >= kLeastRatio * std::max(rates.gpu, rates.cpu);
}

double secondsOfGpu(const SharingForecast& forecast) {
  return forecast.gpuReadyAt + forecast.work / forecast.rates.gpu;
}

double secondsOfCpu(const SharingForecast& forecast) {
  return forecast.cpuReadyAt + forecast.work / forecast.rates.cpu;
}

double secondsOfBoth(const SharingForecast& forecast) {
  const auto& [rates, work, gpuReadyAt, cpuReadyAt, cost, fraction] = forecast;
  const double gpu = rates.gpu * fraction;
  const double together = (work + gpu * gpuReadyAt + rates.cpu * cpuReadyAt) / (gpu + rates.cpu);
  // One of them may be done before the other can begin.
  return cost + std::min({std::max({together, gpuReadyAt, cpuReadyAt}), secondsOfGpu(forecast),
                          secondsOfCpu(forecast)});
}

SharingChoice::By whoShould(const SharingForecast& forecast) {
  if (!forecast.rates.known()) return SharingChoice::By::Both;
  if (!mayPay(forecast.rates)) return fasterSide(forecast.rates);
  const double gpu = secondsOfGpu(forecast);
  const double cpu = secondsOfCpu(forecast);
  if (secondsOfBoth(forecast) < kClearlyFaster * std::min(gpu, cpu)) return SharingChoice::By::Both;
  return gpu <= cpu ? SharingChoice::By::Gpu : SharingChoice::By::Cpu;
}

SharingChoice::By fasterSide(const SideRates& rates) {
  return rates.known() && rates.cpu > rates.gpu ? SharingChoice::By::Cpu : SharingChoice::By::Gpu;
}

}  // namespace clusterloom
