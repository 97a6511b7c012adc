#pragma once

#include <memory>
#include <optional>
#include <span>

#include "engine/hybrid/shared_device.h"
#include "engine/join/join_results.h"

namespace clusterloom {

/// Counts of a self-join of which each device does one part by its own fastest method
/// (SharedDevice::countPart). `work`: as there. nullopt where the devices have no such method or
/// one of them failed; the join is then done by batches. Cancelled when the task was stopped.
Result<std::optional<NeighbourCounts>> countByParts(
    std::span<const std::unique_ptr<SharedDevice>> devices, const SharedWork& work,
    const Task& task);

}  // namespace clusterloom
