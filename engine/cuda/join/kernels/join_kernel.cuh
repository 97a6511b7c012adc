#pragma once

#include <algorithm>
#include <string>
#include <type_traits>

#include "engine/cuda/join/kernels/join_kernels.h"
#include "engine/cuda/join/kernels/measuring_lane.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/failure.h"
#include "engine/join/lane_program.h"

// The kernel behind launchJoin, one source file a sink.

namespace clusterloom {

/// [Gowanlock 2018, algorithm 1] with k threads per point [Gallet 2019, §III-A]: k neighbouring
/// lanes share a ticket's query. Without a head the thread's number is its ticket. With one
/// (WORKQUEUE, [Gallet 2019, §III-D]) warps draw until no ticket is left: the warp's leader takes
/// one for each of its groups at once.
///
/// With a MeasuringLane what each draw of 32/k tickets did is written to the range's records.
template <int D, bool Rows, class Real, class Lane, class Sink>
__global__ void joinKernel(const __grid_constant__ JoinView v,
                           const __grid_constant__ QueryRange range,
                           const __grid_constant__ Sink sinkOfAll) {
  constexpr bool kMeasures = std::is_same_v<Lane, MeasuringLane>;
  Lane lane;
  lane.stop = range.stop;
  const std::uint32_t k = range.threadsPerPoint;
  const std::uint32_t slot = lane.id() / k;
  const LaneGroup group{
      .mask = (k == 32 ? ~0U : (1U << k) - 1) << (slot * k), .size = k, .phase = lane.id() % k};
  std::uint64_t calculations = 0;
  const auto ask = [&](std::uint32_t ticket) {
    const std::uint32_t query = range.queries == nullptr ? ticket : range.queries[ticket];
    if (range.only != nullptr && range.only[query] != range.onlyFlag) return;
    Sink sink = sinkOfAll;
    sink.begin(ticket, query);
    const std::uint32_t cell = range.cellOf[query];
    calculations += Rows ? queryByRows<D, Real>(lane, v, query, cell, group.phase, k, sink)
                         : queryByCells<D, Real>(lane, v, query, cell, group.phase, k, sink);
    sink.finish(lane, group);
  };
  const bool draws = range.head != nullptr;
  do {
    std::uint64_t first = range.end;  // the warp's first ticket
    if (lane.load(range.stop) == 0) {
      if (!draws)
        first =
            range.begin + (std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32 * (32 / k);
      else if (lane.id() == 0)
        first = lane.add(range.head, 32 / k);
    }
    if (draws) first = lane.shuffle(~0U, first, 0);
    if (first >= range.end) break;
    const bool asks = first + slot < range.end;
    if constexpr (kMeasures) lane.start();
    if (asks) ask(std::uint32_t(first + slot));
    lane.sync(~0U);
    if constexpr (kMeasures) lane.writeTo(range.records[(first - range.begin) / (32 / k)], asks);
  } while (draws);
  lane.sync(~0U);
  for (std::uint32_t step = 16; step > 0; step /= 2)
    calculations += lane.shuffle(~0U, calculations, (lane.id() + step) % 32);
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (lane.id() == 0 && calculations > 0)
    lane.add(range.calculations + warp % kCalculationSlots, calculations);
}

template <class Real, class Lane, int D, bool Rows, class Sink>
void launchJoinAs(const KernelLaunch& launch, const std::string& name, const JoinView& view,
                  const QueryRange& range, const Sink& sink) {
  if (range.begin >= range.end) return;
  const auto kernel = joinKernel<D, Rows, Real, Lane, Sink>;
  cudaFuncAttributes attributes{};
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  const int blockSize = std::min(launch.blockSize, attributes.maxThreadsPerBlock / 32 * 32);
  const auto block = std::uint64_t(blockSize);
  const std::uint64_t threads = std::uint64_t(range.end - range.begin) * range.threadsPerPoint;
  std::uint64_t blocks = (threads + block - 1) / block;
  if (range.head != nullptr) {
    int resident = 1;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, blockSize, 0));
    blocks = std::min<std::uint64_t>(
        blocks, std::uint64_t(std::max(1, resident)) * std::uint64_t(launch.multiprocessors));
  }
  const auto threadsOfBlock = unsigned(blockSize);
  launch.log->time(
      launch.stream,
      {.name = name, .function = reinterpret_cast<const void*>(kernel), .block = threadsOfBlock},
      [&] { kernel<<<unsigned(blocks), threadsOfBlock, 0, launch.stream>>>(view, range, sink); });
}

template <class Lane = CudaLane, class Sink>
void launchJoinOf(const KernelLaunch& launch, const char* name, const JoinView& view,
                  const QueryRange& range, const Sink& sink) {
  const std::string fullName = view.usesSingle ? std::string(name) + ", 32-bit" : name;
  withDims(view.metric == Metric::Euclidean ? view.dims : 0, [&]<int D>(Dims<D>) {
    withReal(view, [&]<class Real>(Real) {
      if (view.pattern == AccessPattern::Tile)
        launchJoinAs<Real, Lane, D, true>(launch, fullName, view, range, sink);
      else
        launchJoinAs<Real, Lane, D, false>(launch, fullName, view, range, sink);
    });
  });
}

}  // namespace clusterloom
