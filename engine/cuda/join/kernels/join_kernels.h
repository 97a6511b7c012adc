#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/cuda/join/kernels/sinks.h"
#include "engine/cuda/runtime/kernel_log.h"
#include "engine/join/distance_bins.h"
#include "engine/join/join_view.h"

namespace clusterloom {

struct CudaLane;
struct WarpRecord;

/// The queries of a launch. Plain pointers to device memory.
struct QueryRange {
  std::uint32_t begin = 0;  ///< tickets [begin, end)
  std::uint32_t end = 0;
  const std::uint32_t* queries = nullptr;  ///< position of each ticket; null: ticket = position
  const std::uint32_t* cellOf = nullptr;   ///< cell of each position
  std::uint32_t* head = nullptr;  ///< WORKQUEUE: the next ticket, `begin` before; null: by thread
  const std::uint8_t* only = nullptr;  ///< positions whose flag is `onlyFlag`; null: all
  std::uint8_t onlyFlag = 1;
  std::uint32_t threadsPerPoint = 1;
  const std::uint32_t* stop = nullptr;
  WarpRecord* records = nullptr;  ///< measured launches: one for each 32 / threadsPerPoint tickets
  std::uint64_t* calculations = nullptr;  ///< kCalculationSlots sums of distances decided
};
/// Enough that warps seldom wait for each other at one.
inline constexpr std::uint32_t kCalculationSlots = 256;

/// Where and how wide kernels are launched.
struct KernelLaunch {
  cudaStream_t stream = nullptr;
  int blockSize = 256;  ///< a multiple of 32; less where a kernel's registers allow no more
  int multiprocessors = 1;
  KernelLog* log = nullptr;  ///< always there
};

// One launch of the join's lane program (engine/join/lane_program.h) for each sink. The program is
// queryByRows for the tile pattern, queryByCells for the others; it is compiled for 2, 3 and 6
// dimensions and for any number, each in 64 bits and for precision 32. Queues the kernel; does not
// wait.
void launchJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                const LaneCountSink<CudaLane>&);
void launchJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                const LaneFillSink<CudaLane>&);
void launchJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                const LanePairSink<CudaLane>&);
void launchJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                const LaneHistogramSink<CudaLane>&);
void launchJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                const LaneUnionSink<CudaLane>&);
void launchJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                const LaneBorderSink<CudaLane>&);

// The same by kernels that measure their warps, which makes them slower: what each did goes to the
// range's records. Never timed against others.
void launchMeasuredJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                        const LaneCountSink<CudaLane>&);
void launchMeasuredJoin(const KernelLaunch&, const JoinView&, const QueryRange&,
                        const LanePairSink<CudaLane>&);

}  // namespace clusterloom
