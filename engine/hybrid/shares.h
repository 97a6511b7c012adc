#pragma once

#include <cstdint>

#include "engine/core/shared_pass.h"
#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {

/// Seconds that each processor takes alone for all queries of a join.
struct SecondsAlone {
  double gpu = 0;
  double cpu = 0;
};

/// The volume model [Gallet 2020, eq. 1 to 3] of a join whose search has `volumeRatio` times the
/// volume of that at the reference ε, from the times of the processors there. T^HEGJoin is the
/// number of queries over the sum of both throughputs, in which the number of queries cancels out.
DivisionForecast forecastDivision(const SecondsAlone& atReference, double referenceEps,
                                  double volumeRatio);

/// The share of the work that a static division gives to the GPU [Gallet 2020, eq. 4 and 5]: the
/// throughput of the GPU over that of both. `cpuSeconds` and `gpuSeconds` are what each would take
/// for all queries alone. The paper derives p_q from queries per second, p_c from candidates per
/// second. Queries, candidates and the volume ratio of the model cancel out of both: they are
/// T_CPU / (T_CPU + T_GPU). One half where neither took any time.
double gpuShare(double cpuSeconds, double gpuSeconds);

/// Queries before this one go to the GPU: its share of the queries [Gallet 2020, §4.2.2].
std::uint32_t boundaryByQueries(std::uint32_t queries, double share);

/// The same with the prefix whose candidates are closest to the share of all [Gallet 2020, §4.2.3];
/// the shorter one of two that are equally close.
std::uint32_t boundaryByCandidates(const OrderedQueries& queries, double share);

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
