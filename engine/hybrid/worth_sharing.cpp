#include "engine/hybrid/worth_sharing.h"

#include <algorithm>

namespace clusterloom {
namespace {

// A slower side below this share of the faster side's throughput gains less than the error of the
// forecast.
constexpr double kLeastRatio = 0.08;
// Of the faster side's seconds alone: what sharing has to stay below.
constexpr double kClearlyFaster = 0.97;

}  // namespace

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
