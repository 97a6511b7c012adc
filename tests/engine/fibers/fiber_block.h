#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/load/trace_lane.h"
#include "fibers/fiber_lane.h"
#include "fibers/warp_fault.h"

namespace clusterloom {

/// One block of a launch.
struct BlockShape {
  std::uint32_t threads = FiberLane::width;  ///< 1 … 1024; the last warp may have fewer lanes
  std::size_t sharedBytes = 0;
  std::uint32_t block = 0;  ///< its number
  std::uint32_t blocks = 1;
  /// 0: the warps take turns. Otherwise this seed draws which of them continue in each turn.
  std::uint64_t schedule = 0;
};

using FiberProgram = std::function<void(FiberLane&)>;

/// Runs `program` once per thread of the block until all have ended or a fault is found; the
/// remaining fibers are then unwound (destructors run) and the fault is returned. The rules are
/// those of CUDA's *_sync intrinsics, of __syncthreads and of its shared memory, and stricter in
/// three respects: a mask must not name a lane that has ended, no thread may end before a block
/// barrier that others wait at (hardware lets them go), and all must wait at the same place of the
/// source (hardware counts). An endless loop without waiting is not detected. Exceptions of the
/// program are rethrown here. `steps`, if not null, receives the steps of each warp.
std::optional<WarpFault> runBlock(const FiberProgram& program, const BlockShape& shape,
                                  std::vector<WarpSteps>* steps = nullptr);

/// The same for one warp alone: lanes 0 … `lanes` − 1 of it, without shared memory.
std::optional<WarpFault> runWarp(const FiberProgram& program,
                                 std::uint32_t lanes = FiberLane::width,
                                 WarpSteps* steps = nullptr);

}  // namespace clusterloom
