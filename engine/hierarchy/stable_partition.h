#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/eps_curve.h"

namespace clusterloom {

/// The clusters that count among `points` points: those with at least this many core points, half a
/// percent of all and minPts at least.
std::size_t leastSizeWithMeaning(std::size_t points, std::int64_t minPts);

/// The longest range of ε, by to / from, over which the number of clusters with meaning, those of
/// `leastSize` or more core points, stays the same. Only ranges count in which there are at least
/// two such clusters, at least half of all points are core points of them, and the largest does not
/// hold nearly all of these (isNearlyAll). nullopt where no such range reaches to / from = 1.2: no
/// number of clusters is stable.
///
/// One pass over the merges. Ranges begin at `leastEps` at the earliest.
std::optional<Plateau> mostStablePartition(const Dendrogram& tree, std::size_t leastSize,
                                           double leastEps);

}  // namespace clusterloom
