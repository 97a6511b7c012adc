#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/load/simt_machine.h"

namespace clusterloom {

/// When and where a warp runs, by the schedule model.
struct WarpRun {
  double start = 0;
  double end = 0;
  std::uint32_t slot = 0;  ///< of all slots of the machine
};

/// List scheduling: warps start in order of launch, each on the slot that is free first, and keep
/// it for their duration. Every slot runs at the same speed. A batch starts when the batch
/// `streams` before it has ended, as when batches are dealt to the streams round robin.
/// `batchBegin` is the first warp of each batch, and the end.
std::vector<WarpRun> scheduleWarps(std::span<const double> durations,
                                   std::span<const std::uint32_t> batchBegin,
                                   const SimtMachine& machine);

}  // namespace clusterloom
