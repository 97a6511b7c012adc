#pragma once

#include <cstdint>

#include "engine/cloud/point_cloud.h"
#include "engine/cuda/cell_lists.h"
#include "engine/cuda/device.h"

namespace clusterloom {

/// Whether counting by tiles on matrix units is possible: up to 34 dimensions, and a band that is
/// under 1 % of ε² for offsets as large as this cloud's (engine/join/tile_program.h).
bool tilesCanCount(const CellLists& lists, const Bounds& bounds, double eps);

/// Neighbours of every point within ε, self included, by position in cell order. `lists` have reach
/// 1. Exact. Queues the work. Throws CudaFailure.
void countByTiles(GpuRun& run, const CellLists& lists, const Bounds& bounds, double eps,
                  DeviceBuffer<std::uint32_t>& counts);

}  // namespace clusterloom
