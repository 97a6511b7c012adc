#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/cpu/cpu_join.h"

namespace clusterloom {

/// Counts the neighbours of every query of a join into `counts` (by position, zero before). A
/// count of `enough` or more means at least that many; under a half pattern `enough` must be out of
/// reach. In 64 bits the tile pattern reads each row of candidates as vectors
/// (engine/cpu/candidate_scan.h) and passes over cells that their boxes decide
/// (engine/join/whole_cells.h); all else runs its lane program. Returns the distances decided,
/// those of whole cells included (a row in which `enough` was reached counts whole), or Cancelled.
Result<std::uint64_t> countNeighbours(const CpuJoin& join, std::string_view stage,
                                      std::span<std::uint32_t> counts, std::uint32_t enough,
                                      const Task& task);

}  // namespace clusterloom
