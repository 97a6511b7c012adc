#pragma once

#include <cstddef>

#include "engine/join/strategy.h"

namespace clusterloom {

/// Threads that share a query point on a GPU that holds `residentThreads` at once, where a batch
/// has `queriesPerBatch` queries; the GPU and its model both go by this. It is the strategy's
/// number, but a tile's queries, which it leaves at one thread, are shared by as many as it takes
/// for a batch to keep half of the resident threads, up to a warp per query.
inline int threadsPerPointOnGpu(const Strategy& strategy, std::size_t queriesPerBatch,
                                std::size_t residentThreads) {
  int threads = strategy.threadsPerPoint;
  if (strategy.pattern != AccessPattern::Tile || threads != 1) return threads;
  while (threads < 32 && queriesPerBatch * static_cast<std::size_t>(threads) < residentThreads / 2)
    threads *= 2;
  return threads;
}

}  // namespace clusterloom
