#pragma once

#include <cstdint>

#include "engine/cpu/cpu_join.h"

namespace clusterloom {

/// TooLarge when the pairs of the join will not fit into the memory that is free, decided before
/// they are counted: by the pairs that whole cells prove (engine/join/whole_cells.h), else by a
/// sample of the queries, whose mean less six standard errors must be too much. Nothing is sampled
/// where even the candidates (of candidatesInWindow) would fit. What passes may still prove too
/// large when it is counted. Cancelled.
Result<void> checkPairsFit(const CpuJoin& join, std::uint64_t candidatePairs,
                           std::uint64_t bytesPerPair, const Task& task);

/// The same for a join by another method: a grid is made for the forecast where all pairs of the
/// cloud would not fit.
Result<void> checkPairsFitByGrid(const PointCloud& cloud, double eps, std::uint64_t bytesPerPair,
                                 const Task& task);

}  // namespace clusterloom
