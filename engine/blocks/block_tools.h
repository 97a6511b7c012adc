#pragma once

#include <functional>
#include <string>

#include "engine/backend.h"
#include "engine/blocks/block_space.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/core/result.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// With what a run in blocks works.
struct BlockTools {
  int threads = 1;
  const Backend& backend;  ///< by the metric of the points
  const Strategy& strategy;
  BlockSpace space;
};

/// Checks what all runs in blocks need, and calls `run` on an arena of their threads. Its
/// exceptions become errors.
Result<BlockRun> onBlocks(const std::string& path, double eps, const Backend& backend,
                          const Strategy& strategy, const BlockOptions& options,
                          const std::function<Result<BlockRun>(const BlockTools&)>& run);

}  // namespace clusterloom
