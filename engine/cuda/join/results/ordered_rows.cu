#include "engine/cuda/join/results/ordered_rows.h"

#include <bit>

#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/failure.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/join/lane_program.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kMostPerPoint = 64;
constexpr std::uint64_t kBytesPerEntry = 28;  // while they are sorted; coordinates come on top

// A warp per cell: its candidates as (cell, point id) beside their positions, in no order.
template <int D>
__global__ void listCandidates(const __grid_constant__ JoinView v, const std::uint32_t* pointIds,
                               const std::uint64_t* start, int idBits, std::uint64_t* keys,
                               std::uint32_t* positions, const std::uint32_t* stop) {
  CudaLane lane{.stop = stop};
  const std::size_t warp = threadNumber() / 32;
  if (warp >= v.cells || lane.load(stop) != 0) return;
  const auto cell = std::uint32_t(warp);
  std::uint64_t next = start[cell];
  const auto put = [&](std::uint32_t other) {
    const std::uint32_t begin = v.cellStart[other];
    const std::uint32_t size = v.cellStart[other + 1] - begin;
    for (std::uint32_t i = lane.id(); i < size; i += 32) {
      keys[next + i] = std::uint64_t(cell) << idBits | pointIds[begin + i];
      positions[next + i] = begin + i;
    }
    next += size;
    return false;
  };
  put(cell);
  visitAdjacentCells<D>(lane, v, cell, put);
}

__global__ void gatherCandidates(const std::uint32_t* positions, const std::uint32_t* pointIds,
                                 std::uint32_t* ids, std::size_t size) {
  const std::size_t i = threadNumber();
  if (i < size) ids[i] = pointIds[positions[i]];
}

__global__ void gatherCoordinates(const std::uint32_t* positions, const double* column, double* to,
                                  std::size_t size) {
  const std::size_t i = threadNumber();
  if (i < size) to[i] = column[positions[i]];
}

// A warp per ticket.
template <int D>
__global__ void orderedRows(const __grid_constant__ JoinView v,
                            const __grid_constant__ QueryRange range,
                            const __grid_constant__ RowCandidates candidates,
                            const std::uint64_t* rowStart, std::uint32_t* ids) {
  CudaLane lane{.stop = range.stop};
  const std::size_t row = threadNumber() / 32;
  if (row >= range.end - range.begin || lane.load(range.stop) != 0) return;
  const auto ticket = range.begin + std::uint32_t(row);
  const std::uint32_t query = range.queries == nullptr ? ticket : range.queries[ticket];
  const QueryPoint<D> point = readQuery<D>(v, query);
  const auto x = [&](int j) { return D > 0 ? point.x[j] : v.columns[j][query]; };
  const std::uint32_t cell = range.cellOf[query];
  fillRow<D>(lane, candidates, cell, v.dims, v.squaredEps, x, ids + rowStart[row]);
  const std::uint64_t decided = candidates.start[cell + 1] - candidates.start[cell];
  if (lane.id() == 0) lane.add(range.calculations + row % kCalculationSlots, decided);
}

}  // namespace

std::optional<DeviceRowCandidates> makeRowCandidates(GpuRun& run, DeviceJoin& join) {
  const JoinPlan& plan = join.plan;
  if (join.grid.twoClouds || plan.strategy.pattern != AccessPattern::Tile ||
      plan.strategy.threadsPerPoint != 1 || join.view.sortedBy >= 0 || join.view.shortCircuit ||
      join.view.usesSingle || join.view.metric != Metric::Euclidean || join.schedule.workQueue)
    return std::nullopt;
  if (join.grid.occupied.empty()) addOccupiedCoordinates(run, join.grid);
  JoinView view = viewOf(join.grid, plan);
  view.pattern = AccessPattern::Full;
  const std::uint32_t cells = view.cells;
  DeviceRowCandidates result;
  const DeviceBuffer<std::uint32_t> sizes = deviceWorkloads(run, join.grid, view);
  result.start = DeviceBuffer<std::uint64_t>(run.lease(), sizes.size());
  exclusiveScan(run.lease(), sizes.data(), result.start.data(), sizes.size());
  const auto last = run.mailbox<std::uint64_t>(1);
  result.start.download(last, cells);
  run.wait();
  const std::uint64_t size = last[0];
  const std::uint64_t bytes = size * (kBytesPerEntry + join.grid.dims * sizeof(double));
  if (size > kMostPerPoint * join.grid.size || bytes > run.device().freeMemory() / 4)
    return std::nullopt;

  const int idBits = std::bit_width(join.grid.size - 1);
  DeviceBuffer<std::uint64_t> keys(run.lease(), size);
  DeviceBuffer<std::uint32_t> positions(run.lease(), size);
  withDims(view.dims, [&]<int D>(Dims<D>) {
    listCandidates<D><<<blocksFor(std::size_t{32} * cells), kBlockSize, 0, run.stream()>>>(
        view, join.grid.pointIds.data(), result.start.data(), idBits, keys.data(), positions.data(),
        run.stop());
  });
  CUDA_CHECK_LAUNCH();
  sortByKey(run.lease(), keys, positions, idBits + std::bit_width(cells - 1U));
  result.ids = DeviceBuffer<std::uint32_t>(run.lease(), size);
  gatherCandidates<<<blocksFor(size), kBlockSize, 0, run.stream()>>>(
      positions.data(), join.grid.pointIds.data(), result.ids.data(), size);
  CUDA_CHECK_LAUNCH();
  result.coordinates = DeviceBuffer<double>(run.lease(), size * join.grid.dims);
  for (std::size_t j = 0; j < join.grid.dims; ++j) {
    gatherCoordinates<<<blocksFor(size), kBlockSize, 0, run.stream()>>>(
        positions.data(), join.grid.column(j), result.coordinates.data() + j * size, size);
    CUDA_CHECK_LAUNCH();
  }
  run.wait();  // other streams are to use them
  return result;
}

void launchOrderedRows(const KernelLaunch& launch, const DeviceJoin& join,
                       const DeviceRowCandidates& candidates, const QueryRange& range,
                       const std::uint64_t* rowStart, std::uint32_t* ids) {
  if (range.begin >= range.end) return;
  withDims(join.view.dims, [&]<int D>(Dims<D>) {
    const auto kernel = orderedRows<D>;
    launch.log->time(launch.stream,
                     {.name = "fill ordered rows",
                      .function = reinterpret_cast<const void*>(kernel),
                      .block = kBlockSize},
                     [&] {
                       kernel<<<blocksFor(std::size_t{32} * (range.end - range.begin)), kBlockSize,
                                0, launch.stream>>>(join.view, range, candidates.view(), rowStart,
                                                    ids);
                     });
  });
}

}  // namespace clusterloom
