#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/task.h"

namespace clusterloom {

/// Sorts (key, value) records by key, stable, in parallel on the caller's TBB arena: a
/// least-significant-digit radix sort over as many bits as `largestKey` has. Needs as much memory
/// again while it runs. Returns false when stopped (the order of the records is then undefined).
bool sortByKey(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values,
               std::uint64_t largestKey, const Task& task);

}  // namespace clusterloom
