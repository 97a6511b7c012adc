#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/grid/grid_index.h"
#include "engine/join/join_view.h"

namespace clusterloom {

/// The sparse ε-grid in device memory: what GridIndex holds, for the same geometry bit for bit.
struct DeviceGrid {
  Bounds bounds;
  CellGeometry geometry;
  std::size_t size = 0;
  std::size_t dims = 0;
  std::uint32_t cells = 0;
  DeviceBuffer<std::uint64_t> cellIds;    ///< B: ascending linear ids of the non-empty cells
  DeviceBuffer<std::uint32_t> cellStart;  ///< G: cells + 1 positions
  DeviceBuffer<std::uint32_t> pointIds;   ///< A: point at each position
  DeviceBuffer<std::uint32_t> cellOf;     ///< cell of each position
  DeviceBuffer<double> ordered;           ///< dims columns of `size`, in cell order
  DeviceBuffer<float> offsets;            ///< the same for precision 32; empty when not made
  DeviceBuffer<std::uint32_t> directory;  ///< JoinView::directory; empty when not made
  std::vector<DeviceBuffer<std::uint32_t>> occupied;  ///< M; empty when not made
  std::vector<std::uint32_t> occupiedCount;

  const double* column(std::size_t j) const { return ordered.data() + j * size; }
};

/// Builds B, G, A, the cell of each position and the cell-ordered columns. Waits twice for a few
/// bytes: the bounds and the number of cells. The cloud satisfies `validate`, ε `epsSquared`.
DeviceGrid buildDeviceGrid(GpuRun& run, const DeviceCloud& cloud, const GridSpec& spec);

/// Adds M, the occupied coordinates of each indexed dimension, which walks over cells filter by
/// [Gowanlock 2018, algorithm 1]. Waits for their numbers.
void addOccupiedCoordinates(GpuRun& run, DeviceGrid& grid);

/// Adds the directory where `directoryEntries` has one. Does not wait.
void addDirectory(GpuRun& run, DeviceGrid& grid);

/// Adds the offsets that precision 32 compares, columns in the order of `single`. Does not wait.
void addOffsets(GpuRun& run, DeviceGrid& grid, const SinglePrecision& single);

/// What a lane program sees of the grid and a plan for it. Points into `grid`.
JoinView viewOf(const DeviceGrid& grid, const JoinPlan& plan);

}  // namespace clusterloom
