#pragma once

#include <cstdint>

#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {

/// The share of the work that a static division gives to the GPU [Gallet 2020, eq. 4 and 5]: the
/// throughput of the GPU over that of both. `cpuSeconds` and `gpuSeconds` are what each would take
/// for all queries alone. The paper predicts these from runs at another ε by the volume of the
/// search (eq. 1 and 2) and derives p_q from queries per second, p_c from candidates per second. As
/// printed, volume, queries and candidates cancel out: both shares are T_CPU / (T_CPU + T_GPU).
/// One half where neither took any time.
double gpuShare(double cpuSeconds, double gpuSeconds);

/// Queries before this one go to the GPU: its share of the queries [Gallet 2020, §4.2.2].
std::uint32_t boundaryByQueries(std::uint32_t queries, double share);

/// The same with the prefix whose candidates are closest to the share of all [Gallet 2020, §4.2.3];
/// the shorter one of two that are equally close.
std::uint32_t boundaryByCandidates(const OrderedQueries& queries, double share);

}  // namespace clusterloom
