#pragma once

#include <cstdint>
#include <span>

#include "engine/core/task.h"

namespace clusterloom {

/// Sorts (key, value) records by key, stable, in parallel on the caller's TBB arena: a
/// least-significant-digit radix sort over as many bits as `largestKey` has. There are as many
/// values as keys, fewer than 2³². Needs as much memory again while it runs. Returns false when
/// stopped (the order of the records is then undefined).
bool sortByKey(std::span<std::uint64_t> keys, std::span<std::uint32_t> values,
               std::uint64_t largestKey, const Task& task);

}  // namespace clusterloom
