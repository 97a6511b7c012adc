#pragma once

#include <cstddef>
#include <string>

#include "engine/join/strategy.h"

namespace clusterloom {

/// Threads that share a query point on a GPU that holds `residentThreads` at once, where a batch
/// has `queriesPerBatch` queries; the GPU and its model both use it. It is the strategy's number,
/// except for the pattern tile at one thread: there as many threads share a query as a batch needs
/// to keep half of the resident threads busy, up to a warp.
inline int threadsPerPointOnGpu(const Strategy& strategy, std::size_t queriesPerBatch,
                                std::size_t residentThreads) {
  int threads = strategy.threadsPerPoint;
  if (strategy.pattern != AccessPattern::Tile || threads != 1) return threads;
  while (threads < 32 && queriesPerBatch * std::size_t(threads) < residentThreads / 2) threads *= 2;
  return threads;
}

/// A remark where threadsPerPointOnGpu has chosen another number than the strategy's; else empty.
inline std::string threadsNote(const Strategy& strategy, int threads) {
  if (threads == strategy.threadsPerPoint) return {};
  return "tile: " + std::to_string(threads) +
         " threads share each query point instead of 1, because one each would use less than half "
         "of the GPU.";
}

}  // namespace clusterloom
