#pragma once

#include "engine/core/shared_pass.h"
#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {

/// The expected figures of a join that decide which side does it.
struct SharingForecast {
  SideRates rates;
  double work = 0;        ///< of the whole join, as in SideRates
  double gpuReadyAt = 0;  ///< seconds from the beginning until its index is there
  double cpuReadyAt = 0;
  double costOfSharing = 0;      ///< seconds that a shared join takes beside
  double gpuSharedFraction = 1;  ///< of its rate alone, in a shared join; see SharedDevice
};

/// Whether the slower side is fast enough, compared with the faster one, that sharing can pay.
/// False where a rate is unknown.
bool mayPay(const SideRates& rates);

/// Seconds of each side alone, and of both together if they end at the same time.
double secondsOfGpu(const SharingForecast& forecast);
double secondsOfCpu(const SharingForecast& forecast);
double secondsOfBoth(const SharingForecast& forecast);

/// The side that should do the join. Both where that is clearly faster than the faster side alone,
/// or where a rate is unknown: a shared join measures it.
SharingChoice::By whoShould(const SharingForecast& forecast);

/// The side that is expected to be faster alone; the GPU where a rate is unknown.
SharingChoice::By fasterSide(const SideRates& rates);

}  // namespace clusterloom
