#pragma once

#include <cstdint>
#include <span>

#include "engine/cloud/file_rows.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/ring_join.h"
#include "engine/io/output_set.h"

namespace clusterloom {

// Results of the parts of all ranks as one file in the order of the cloud, of which each rank
// writes a block (engine/distributed/shared_file.h): the file is one of `outputs`, which rank 0
// commits. Collective; all ranks name the same file, number of points and rows of all points.

/// Counts as .npy, one for each row of the file (0 for a skipped one): uint32, or uint64 where one
/// of them is larger.
Result<void> writeRingCounts(Communicator& communicator, OutputSet& outputs,
                             const std::string& path, std::span<const std::uint64_t> counts,
                             std::uint64_t points, const FileRows& rowOf, const Task& task);

/// All ordered pairs (p, q) of rows of the file as .npy of shape (m, 2), sorted, int32, or int64
/// where the file has 2³¹ rows or more.
Result<void> writeRingPairs(Communicator& communicator, OutputSet& outputs, const std::string& path,
                            const RingTable& table, std::uint64_t points, const FileRows& rowOf,
                            const Task& task);

}  // namespace clusterloom
