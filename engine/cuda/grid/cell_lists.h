#pragma once

#include <cstdint>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/grid/cell_geometry.h"

namespace clusterloom {

/// The sparse ε-grid in device memory: as GridIndex, with the number of cells known to the device
/// only, so that no wait is needed, and with buckets that find a cell by its id in a few steps.
struct CellLists {
  CellGeometry geometry;
  std::size_t size = 0;
  std::size_t dims = 0;
  DeviceBuffer<double> ordered;           ///< dims columns of `size`, in cell order
  DeviceBuffer<std::uint32_t> pointIds;   ///< A: point at each position; ascending within a cell
  DeviceBuffer<std::uint32_t> cellOf;     ///< cell of each position
  DeviceBuffer<std::uint64_t> cellIds;    ///< B: the first `cellCount` entries, ascending
  DeviceBuffer<std::uint32_t> cellStart;  ///< G: one entry more than cells
  DeviceBuffer<std::uint32_t> cellCount;  ///< one value
  /// Entry b: first cell whose id is ≥ b << bucketShift.
  DeviceBuffer<std::uint32_t> bucketFirst;
  int bucketShift = 0;
};

/// Non-empty cells of a geometry, estimated within about a percent by linear counting of hashed
/// cell ids. Waits.
double estimateOccupiedCells(GpuRun& run, const DeviceCloud& cloud, const CellGeometry& geometry);

/// As estimatedCompanions (engine/grid/occupancy.h), of the same sample. Waits.
double estimateCompanions(GpuRun& run, const DeviceCloud& cloud, const CellGeometry& geometry);

/// Queues the build: cell ids, a radix sort of as many bits as they have, gathered columns, cells,
/// buckets. Does not wait. The points' cells are those of CellGeometry::linearId, bit for bit.
CellLists buildCellLists(GpuRun& run, const DeviceCloud& cloud, const CellGeometry& geometry);

}  // namespace clusterloom
