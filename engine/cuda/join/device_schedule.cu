#include "engine/cuda/join/device_join.h"

#include <bit>
#include <memory>

#include "engine/cuda/grid/device_geometry.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/join/lane_program.h"

namespace clusterloom {
namespace {

// How a strided order falls into batches: the first `larger` of them have one ticket more.
struct Batches {
  std::uint32_t count;
  std::uint32_t size;
  std::uint32_t larger;

  __host__ __device__ std::uint32_t begin(std::uint32_t batch) const {
    return batch * size + (batch < larger ? batch : larger);
  }
  __device__ std::uint32_t batchOf(std::uint32_t ticket) const {
    const std::uint32_t inLarger = larger * (size + 1);
    return ticket < inLarger ? ticket / (size + 1) : larger + (ticket - inLarger) / size;
  }
};

template <int D>
__global__ void workloads(const __grid_constant__ JoinView v, std::uint32_t first,
                          std::uint32_t cells, std::uint32_t* workload) {
  const std::size_t c = threadNumber();
  if (c == cells) workload[c] = 0;
  if (c >= cells) return;
  CudaLane lane;
  const auto cell = first + std::uint32_t(c);
  const std::uint32_t own = gridCellOf(lane, v, cell);
  std::uint32_t candidates = own < v.cells ? v.cellStart[own + 1] - v.cellStart[own] : 0;
  visitAdjacentCells<D>(lane, v, cell, [&](std::uint32_t other) {
    candidates += v.cellStart[other + 1] - v.cellStart[other];
    return false;
  });
  workload[c] = candidates;
}

__global__ void positionsByRank(const std::uint32_t* ranks, std::uint32_t first,
                                std::uint32_t* positions, std::size_t n) {
  const std::size_t i = threadNumber();
  if (i < n) positions[ranks[i]] = first + std::uint32_t(i);
}

__global__ void countUp(std::uint32_t* values, std::uint32_t first, std::size_t n) {
  const std::size_t i = threadNumber();
  if (i < n) values[i] = first + std::uint32_t(i);
}

// By rank: the bin of each query of a cloud of `points` points.
__global__ void binKeys(const __grid_constant__ DeviceGeometry bins, const double* columns,
                        std::size_t points, const std::uint32_t* ranks,
                        const std::uint32_t* pointIds, std::uint64_t* keys, std::size_t n) {
  const std::size_t i = threadNumber();
  if (i < n) keys[ranks[i]] = linearIdOf(bins, columns, points, pointIds[i]);
}

__global__ void stride(const std::uint32_t* order, const Batches batches, std::uint32_t* queries,
                       std::size_t n) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  const auto ticket = std::uint32_t(i);
  const std::uint32_t batch = batches.batchOf(ticket);
  const std::uint64_t at = batch + std::uint64_t(ticket - batches.begin(batch)) * batches.count;
  queries[ticket] = order[at];
}

// Ascending keys of the queries: by batch, in which points are strided, then heaviest first.
// `cellOf` has the cell of each query, at least `firstCell`.
__global__ void workloadKeys(const std::uint32_t* ranks, const std::uint32_t* cellOf,
                             std::uint32_t firstCell, const std::uint32_t* workload,
                             std::uint32_t batches, std::uint64_t* keys, std::size_t n) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  const std::uint32_t heavy = 0x7fffffffU - workload[cellOf[i] - firstCell];
  keys[i] = std::uint64_t(ranks[i] % batches) << 31 | heavy;
}

class Orders {
 public:
  Orders(GpuRun& run, const DeviceGrid& grid)
      : run_(run), grid_(grid), n_(grid.queries()), blocks_(blocksFor(n_)) {}

  DeviceBuffer<std::uint32_t> cell() const {
    DeviceBuffer<std::uint32_t> order(run_.lease(), n_);
    countUp<<<blocks_, kBlockSize, 0, run_.stream()>>>(order.data(), grid_.firstQuery(), n_);
    CUDA_CHECK_LAUNCH();
    return order;
  }
  DeviceBuffer<std::uint32_t> input() const {
    DeviceBuffer<std::uint32_t> order(run_.lease(), n_);
    positionsByRank<<<blocks_, kBlockSize, 0, run_.stream()>>>(
        grid_.queryRanks(), grid_.firstQuery(), order.data(), n_);
    CUDA_CHECK_LAUNCH();
    return order;
  }
  DeviceBuffer<std::uint32_t> bins(const DeviceCloud& cloud) const {
    const auto held = std::make_shared<const CellGeometry>(
        geometryOf(run_, cloud, grid_.twoClouds ? boundsOf(run_, cloud) : grid_.bounds, 1.0, 1,
                   grid_.geometry.dims));
    const CellGeometry& geometry = *held;
    run_.hold(held);  // until the upload is done
    const UploadedGeometry uploaded = uploadGeometry(run_.lease(), geometry);
    DeviceBuffer<std::uint64_t> keys(run_.lease(), n_);
    binKeys<<<blocks_, kBlockSize, 0, run_.stream()>>>(uploaded.geometry, cloud.coordinates.data(),
                                                       cloud.size, grid_.queryRanks(),
                                                       grid_.queryPoints(), keys.data(), n_);
    CUDA_CHECK_LAUNCH();
    DeviceBuffer<std::uint32_t> order = input();
    sortByKey(run_.lease(), keys, order, std::bit_width(geometry.linearIds() - 1));
    return order;
  }
  DeviceBuffer<std::uint32_t> strided(DeviceBuffer<std::uint32_t> order,
                                      const Batches& batches) const {
    if (batches.count == 1) return order;
    DeviceBuffer<std::uint32_t> queries(run_.lease(), n_);
    stride<<<blocks_, kBlockSize, 0, run_.stream()>>>(order.data(), batches, queries.data(), n_);
    CUDA_CHECK_LAUNCH();
    return queries;
  }
  // Heaviest first within each batch, ties in cell order.
  DeviceBuffer<std::uint32_t> byWorkload(const JoinView& view, std::uint32_t batches) const {
    const DeviceBuffer<std::uint32_t> workload = deviceWorkloads(run_, grid_, view);
    DeviceBuffer<std::uint64_t> keys(run_.lease(), n_);
    workloadKeys<<<blocks_, kBlockSize, 0, run_.stream()>>>(
        grid_.queryRanks(), grid_.cellOf.data() + grid_.firstQuery(), grid_.firstQueryCell(),
        workload.data(), batches, keys.data(), n_);
    CUDA_CHECK_LAUNCH();
    DeviceBuffer<std::uint32_t> queries = cell();
    sortByKey(run_.lease(), keys, queries, 31 + std::bit_width(batches - 1));
    return queries;
  }

 private:
  GpuRun& run_;
  const DeviceGrid& grid_;
  std::size_t n_;
  unsigned blocks_;
};

}  // namespace

DeviceBuffer<std::uint32_t> deviceWorkloads(GpuRun& run, const DeviceGrid& grid,
                                            const JoinView& view) {
  const std::size_t entries = grid.queryCells() + std::size_t{1};
  DeviceBuffer<std::uint32_t> workload(run.lease(), entries);
  withDims(view.dims, [&]<int D>(Dims<D>) {
    workloads<D><<<blocksFor(entries), kBlockSize, 0, run.stream()>>>(
        view, grid.firstQueryCell(), grid.queryCells(), workload.data());
  });
  CUDA_CHECK_LAUNCH();
  return workload;
}

DeviceSchedule makeDeviceSchedule(GpuRun& run, const DeviceCloud& cloud, const DeviceGrid& grid,
                                  const JoinView& view, QueryOrder order, std::size_t batches) {
  const GpuPhase phase("schedule");
  const auto n = std::uint32_t(grid.queries());
  const auto count = std::uint32_t(batches);
  const Batches split{.count = count, .size = n / count, .larger = n % count};
  const Orders orders(run, grid);
  DeviceSchedule schedule;
  schedule.workQueue = order == QueryOrder::WorkQueue;
  for (std::uint32_t b = 0; b <= count; ++b) schedule.batchBegin.push_back(split.begin(b));
  switch (order) {
    case QueryOrder::Cell:
      if (count > 1 || grid.twoClouds) schedule.queries = orders.strided(orders.cell(), split);
      break;
    case QueryOrder::Bins: schedule.queries = orders.strided(orders.bins(cloud), split); break;
    case QueryOrder::Input: schedule.queries = orders.strided(orders.input(), split); break;
    case QueryOrder::SortByWorkload: schedule.queries = orders.byWorkload(view, count); break;
    case QueryOrder::WorkQueue: schedule.queries = orders.byWorkload(view, 1); break;
  }
  return schedule;
}

}  // namespace clusterloom
