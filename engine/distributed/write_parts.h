#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/read_parts.h"
#include "engine/io/output_set.h"

namespace clusterloom {

/// Whether writeLabelledParts can write this file: .csv and .ply.
bool canWriteParts(const std::string& path);

/// Writes the labelled points of all ranks, in original units and in the order of the file, as
/// writeLabelled (engine/io/write.h) would write those of the whole cloud with its coordinates
/// only. `part` holds the coordinates as they were read, `labels` and `roles` have one entry for
/// each of its points. They are moved in, to save memory. Rank 0 writes the file in `outputs`,
/// which it commits: the others send it their rows block by block, so that it holds one block of
/// them. Collective. Io and what the communicator returns.
Result<void> writeLabelledParts(Communicator& communicator, OutputSet& outputs,
                                const std::string& path, RankPart part,
                                std::vector<std::int32_t> labels, std::vector<PointRole> roles,
                                const Task& task);

}  // namespace clusterloom
