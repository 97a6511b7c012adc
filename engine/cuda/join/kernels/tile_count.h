#pragma once

#include <cstdint>

#include <optional>

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cuda/grid/cell_lists.h"
#include "engine/cuda/runtime/device.h"
#include "engine/join/join_plan.h"
#include "engine/join/query_part.h"

namespace clusterloom {

/// Whether counting by tiles on matrix units is possible: up to 34 dimensions, and a band that is
/// under 1 % of ε² for offsets as large as this cloud's (engine/join/tile_program.h).
bool tilesCanCount(const CellLists& lists, const Bounds& bounds, double eps, double squaredEps);

/// Neighbours of every point of the part within ε, self included, by position in cell order; counts
/// of other points stay as they are. `lists` have reach 1. Exact. Queues the work;
/// of several parts waits for the number of tiles. Throws CudaFailure, CudaStopped.
void countByTiles(GpuRun& run, const CellLists& lists, const Bounds& bounds, double eps,
                  double squaredEps, DeviceBuffer<std::uint32_t>& counts, QueryPart part = {});

/// Backend::count by tiles on matrix units where that is possible, asked for (the tile pattern in
/// cell order, one thread per point, 64 bits, one batch, no SORTIDU) and worth it (rows that hold
/// many points); nothing where it is not. With several parts as SharedDevice::countPart. Throws
/// CudaFailure, CudaStopped.
std::optional<NeighbourCounts> countByTilesOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                                 const JoinPlan& plan, QueryPart part = {});

}  // namespace clusterloom
