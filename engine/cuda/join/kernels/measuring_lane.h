#pragma once

#include <cstdint>

#include "engine/cuda/runtime/cuda_lane.h"

namespace clusterloom {

/// The measured steps of a warp for one draw of tickets.
struct WarpRecord {
  std::uint64_t start;  ///< nanoseconds of the device's clock
  std::uint64_t end;
  std::uint64_t cycles;             ///< of its multiprocessor
  std::uint64_t laneSteps[kLoops];  ///< active turns of each loop, summed over the lanes
  std::uint64_t steps[kLoops];      ///< turns of the warp
  std::uint32_t longestLane;        ///< most candidates of a lane
  std::uint32_t shortestLane;       ///< fewest, of the lanes that have a query
  std::uint64_t multiprocessor;     // so wide that nothing in a record stays unwritten
};

/// A lane that counts its turns by loop, and those of its warp: of the lanes that turn together,
/// the lowest counts the turn. Which lanes do is what the hardware says (__activemask), so this is
/// measured, with all that its scheduler does, and not modelled.
struct MeasuringLane : CudaLane {
  std::uint32_t turns[kLoops] = {};
  std::uint32_t led[kLoops] = {};
  std::uint64_t startTime = 0;
  long long startClock = 0;

  __device__ void step(Loop loop, std::uint64_t = 0) { count(loop); }
  __device__ void mark(Loop loop) { count(loop); }

  /// Before a draw; all lanes call it.
  __device__ void start() {
    for (int i = 0; i < kLoops; ++i) turns[i] = led[i] = 0;
    startTime = nanoseconds();
    startClock = clock64();
  }
  /// After it; all lanes call it, `asked` says whether this one had a query.
  __device__ void writeTo(WarpRecord& record, bool asked) {
    const long long endClock = clock64();
    const std::uint64_t endTime = nanoseconds();
    const std::uint32_t candidates = turns[int(Loop::Candidate)];
    std::uint32_t most = candidates;
    std::uint32_t fewest = asked ? candidates : ~0U;
    std::uint64_t lanes[kLoops];
    std::uint64_t warp[kLoops];
    for (int i = 0; i < kLoops; ++i) {
      lanes[i] = turns[i];
      warp[i] = led[i];
    }
    for (std::uint32_t apart = 16; apart > 0; apart /= 2) {
      most = max(most, exchange(~0U, most, apart));
      fewest = min(fewest, exchange(~0U, fewest, apart));
      for (int i = 0; i < kLoops; ++i) {
        lanes[i] += exchange(~0U, lanes[i], apart);
        warp[i] += exchange(~0U, warp[i], apart);
      }
    }
    if (id() != 0) return;
    record.start = startTime;
    record.end = endTime;
    record.cycles = std::uint64_t(endClock - startClock);
    for (int i = 0; i < kLoops; ++i) {
      record.laneSteps[i] = lanes[i];
      record.steps[i] = warp[i];
    }
    record.longestLane = most;
    record.shortestLane = fewest;
    std::uint32_t here = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
    record.multiprocessor = here;
  }

 private:
  __device__ void count(Loop loop) {
    const int i = int(loop);
    ++turns[i];
    if (int(id()) == __ffs(int(__activemask())) - 1) ++led[i];
  }
  static __device__ std::uint64_t nanoseconds() {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }
};

}  // namespace clusterloom
