#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"
#include "engine/io/output_set.h"

namespace clusterloom {

/// Writes a file of which each rank has consecutive bytes, rank after rank after a common header:
/// each rank writes its own, at the same time. All ranks must see the folder of the file. Rank 0
/// makes it, under a temporary name, in `outputs`, which it commits; on other ranks `outputs` is
/// not used. Collective. Io, and BadCall for a pipe or device.
Result<void> writeSharedFile(Communicator& communicator, OutputSet& outputs,
                             const std::string& path, const std::string& header,
                             std::span<const std::byte> bytes, const Task& task);

}  // namespace clusterloom
