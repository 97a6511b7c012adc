#include "engine/cuda/join/device_schedule.h"

#include <bit>

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
__global__ void workloads(const __grid_constant__ JoinView v, std::uint32_t* workload) {
  const std::size_t c = threadNumber();
  if (c == v.cells) workload[c] = 0;
  if (c >= v.cells) return;
  CudaLane lane;
  const auto cell = static_cast<std::uint32_t>(c);
  std::uint32_t candidates = v.cellStart[cell + 1] - v.cellStart[cell];
  visitAdjacentCells<D>(lane, v, cell, [&](std::uint32_t other) {
    candidates += v.cellStart[other + 1] - v.cellStart[other];
    return false;
  });
  workload[cell] = candidates;
}

__global__ void positionsOfPoints(const std::uint32_t* pointIds, std::uint32_t* positions,
                                  std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) positions[pointIds[p]] = static_cast<std::uint32_t>(p);
}

__global__ void identity(std::uint32_t* values, std::size_t n) {
  const std::size_t i = threadNumber();
  if (i < n) values[i] = static_cast<std::uint32_t>(i);
}

__global__ void binKeys(const __grid_constant__ DeviceGeometry bins, const double* columns,
                        std::uint64_t* keys, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) keys[p] = linearIdOf(bins, columns, n, p);
}

__global__ void replaceByPositions(std::uint32_t* ids, const std::uint32_t* positions,
                                   std::size_t n) {
  const std::size_t i = threadNumber();
  if (i < n) ids[i] = positions[ids[i]];
}

__global__ void stride(const std::uint32_t* order, const Batches batches, std::uint32_t* queries,
                       std::size_t n) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  const auto ticket = static_cast<std::uint32_t>(i);
  const std::uint32_t batch = batches.batchOf(ticket);
  const std::uint64_t at =
      batch + static_cast<std::uint64_t>(ticket - batches.begin(batch)) * batches.count;
  queries[ticket] = order[at];
}

// Ascending keys of the positions: by batch, in which points are strided, then heaviest first.
__global__ void workloadKeys(const std::uint32_t* pointIds, const std::uint32_t* cellOf,
                             const std::uint32_t* workload, std::uint32_t batches,
                             std::uint64_t* keys, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  const std::uint32_t heavy = 0x7fffffffU - workload[cellOf[p]];
  keys[p] = static_cast<std::uint64_t>(pointIds[p] % batches) << 31 | heavy;
}

class Orders {
 public:
  Orders(GpuRun& run, const DeviceGrid& grid)
      : run_(run), grid_(grid), n_(grid.size), blocks_(blocksFor(grid.size)) {}

  DeviceBuffer<std::uint32_t> cell() const {
    DeviceBuffer<std::uint32_t> order(run_.lease(), n_);
    identity<<<blocks_, kBlockSize, 0, run_.stream()>>>(order.data(), n_);
    CUDA_CHECK_LAUNCH();
    return order;
  }
  DeviceBuffer<std::uint32_t> input() const {
    DeviceBuffer<std::uint32_t> order(run_.lease(), n_);
    positionsOfPoints<<<blocks_, kBlockSize, 0, run_.stream()>>>(grid_.pointIds.data(),
                                                                 order.data(), n_);
    CUDA_CHECK_LAUNCH();
    return order;
  }
  DeviceBuffer<std::uint32_t> bins(const DeviceCloud& cloud) const {
    const CellGeometry geometry =
        geometryOf(run_, cloud, grid_.bounds, 1.0, 1, grid_.geometry.dims);
    const UploadedGeometry uploaded = uploadGeometry(run_.lease(), geometry);
    DeviceBuffer<std::uint64_t> keys(run_.lease(), n_);
    binKeys<<<blocks_, kBlockSize, 0, run_.stream()>>>(uploaded.geometry, cloud.coordinates.data(),
                                                       keys.data(), n_);
    CUDA_CHECK_LAUNCH();
    DeviceBuffer<std::uint32_t> order = cell();  // of point ids, here
    sortByKey(run_.lease(), keys, order, std::bit_width(geometry.linearIds() - 1));
    const DeviceBuffer<std::uint32_t> positions = input();
    replaceByPositions<<<blocks_, kBlockSize, 0, run_.stream()>>>(order.data(), positions.data(),
                                                                  n_);
    CUDA_CHECK_LAUNCH();
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
    const DeviceBuffer<std::uint32_t> workload = deviceWorkloads(run_, view);
    DeviceBuffer<std::uint64_t> keys(run_.lease(), n_);
    workloadKeys<<<blocks_, kBlockSize, 0, run_.stream()>>>(
        grid_.pointIds.data(), grid_.cellOf.data(), workload.data(), batches, keys.data(), n_);
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

DeviceBuffer<std::uint32_t> deviceWorkloads(GpuRun& run, const JoinView& view) {
  const std::size_t entries = view.cells + std::size_t{1};
  DeviceBuffer<std::uint32_t> workload(run.lease(), entries);
  withDims(view.dims, [&]<int D>(Dims<D>) {
    workloads<D><<<blocksFor(entries), kBlockSize, 0, run.stream()>>>(view, workload.data());
  });
  CUDA_CHECK_LAUNCH();
  return workload;
}

DeviceSchedule makeDeviceSchedule(GpuRun& run, const DeviceCloud& cloud, const DeviceGrid& grid,
                                  const JoinView& view, QueryOrder order, std::size_t batches) {
  const GpuPhase phase("schedule");
  const auto n = static_cast<std::uint32_t>(grid.size);
  const auto count = static_cast<std::uint32_t>(batches);
  const Batches split{.count = count, .size = n / count, .larger = n % count};
  const Orders orders(run, grid);
  DeviceSchedule schedule;
  schedule.workQueue = order == QueryOrder::WorkQueue;
  for (std::uint32_t b = 0; b <= count; ++b) schedule.batchBegin.push_back(split.begin(b));
  switch (order) {
    case QueryOrder::Cell:
      if (count > 1) schedule.queries = orders.strided(orders.cell(), split);
      break;
    case QueryOrder::Bins:
      schedule.queries = orders.strided(orders.bins(cloud), split);
      break;
    case QueryOrder::Input:
      schedule.queries = orders.strided(orders.input(), split);
      break;
    case QueryOrder::SortByWorkload:
      schedule.queries = orders.byWorkload(view, count);
      break;
    case QueryOrder::WorkQueue:
      schedule.queries = orders.byWorkload(view, 1);
      break;
  }
  return schedule;
}

}  // namespace clusterloom
