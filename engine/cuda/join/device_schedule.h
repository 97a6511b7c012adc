#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/grid/device_grid.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// A Schedule in device memory. Tickets number the order.
struct DeviceSchedule {
  DeviceBuffer<std::uint32_t> queries;    ///< position of each ticket; empty: ticket = position
  std::vector<std::uint32_t> batchBegin;  ///< batch b is tickets [batchBegin[b], batchBegin[b + 1])
  bool workQueue = false;                 ///< warps draw tickets from an atomic head

  std::size_t batches() const { return batchBegin.size() - 1; }
};

/// Workload of the query points of each of the grid's cells of queries, as cellWorkloads: the
/// candidates that the view's pattern examines for one of them. One entry a cell and a 0 at the
/// end. Needs M in the view; does not wait.
DeviceBuffer<std::uint32_t> deviceWorkloads(GpuRun& run, const DeviceGrid& grid,
                                            const JoinView& view);

/// The orders of makeSchedule (engine/join/schedule.h), query for query; cell order in one batch
/// goes without a list, but not for two clouds. `cloud` is that of the queries, of which there is
/// at least one. The orders by workload need M in the view. Waits only for the bounds of a second
/// cloud that is put into bins. `batches` ≥ 1.
DeviceSchedule makeDeviceSchedule(GpuRun& run, const DeviceCloud& cloud, const DeviceGrid& grid,
                                  const JoinView& view, QueryOrder order, std::size_t batches);

}  // namespace clusterloom
