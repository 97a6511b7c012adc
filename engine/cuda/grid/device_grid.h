#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/grid/grid_index.h"
#include "engine/join/join_view.h"

namespace clusterloom {

/// The sparse ε-grid in device memory: what GridIndex holds, for the same geometry bit for bit. In
/// a join of two clouds also what GridQueries holds (engine/grid/grid_queries.h), query for query:
/// the queries' positions follow those of the points, the cells that hold them those of the grid.
struct DeviceGrid {
  Bounds bounds;
  CellGeometry geometry;
  std::size_t size = 0;  ///< points of the grid
  std::size_t dims = 0;
  std::uint32_t cells = 0;
  DeviceBuffer<std::uint64_t> cellIds;    ///< B: ascending linear ids of the non-empty cells, then
                                          ///< of the cells of queries
  DeviceBuffer<std::uint32_t> cellStart;  ///< G: cells + 1 positions
  DeviceBuffer<std::uint32_t> pointIds;   ///< A: point at each position
  DeviceBuffer<std::uint32_t> cellOf;     ///< cell of each position
  DeviceBuffer<double> ordered;           ///< dims columns by position
  DeviceBuffer<float> offsets;            ///< the same for precision 32; empty when not made
  DeviceBuffer<std::uint32_t> directory;  ///< JoinView::directory; empty when not made
  std::vector<DeviceBuffer<std::uint32_t>> occupied;  ///< M; empty when not made
  std::vector<std::uint32_t> occupiedCount;

  bool twoClouds = false;
  std::size_t others = 0;                  ///< queries of another cloud
  std::uint32_t otherCells = 0;            ///< cells that hold them
  DeviceBuffer<std::uint32_t> otherStart;  ///< otherCells + 1 positions
  DeviceBuffer<std::uint32_t> otherRanks;  ///< of each by its point

  std::size_t positions() const { return size + others; }
  const double* column(std::size_t j) const { return ordered.data() + j * positions(); }

  // As QueryCells (engine/grid/grid_index.h).
  std::size_t queries() const { return twoClouds ? others : size; }
  std::uint32_t firstQuery() const { return twoClouds ? std::uint32_t(size) : 0; }
  const std::uint32_t* queryPoints() const { return pointIds.data() + firstQuery(); }
  const std::uint32_t* queryRanks() const {
    return twoClouds ? otherRanks.data() : pointIds.data();
  }
  std::uint32_t queryCells() const { return twoClouds ? otherCells : cells; }
  std::uint32_t firstQueryCell() const { return twoClouds ? cells : 0; }
  const std::uint32_t* queryStart() const {
    return twoClouds ? otherStart.data() : cellStart.data();
  }
};

/// Builds B, G, A, the cell of each position and the cell-ordered columns. Waits twice for a few
/// bytes: the bounds and the number of cells. The cloud satisfies `validate`, ε `epsSquared`. With
/// `queries`, the points of another cloud, it adds those that may have neighbours and waits twice
/// more; where there are none, nothing is ordered and nothing may be launched. Distances to them
/// are those of `metric`.
DeviceGrid buildDeviceGrid(GpuRun& run, const DeviceCloud& cloud, const GridSpec& spec,
                           const DeviceCloud* queries = nullptr, Metric metric = Metric::Euclidean);

/// Adds M, the occupied coordinates of each indexed dimension, which walks over cells filter by
/// [Gowanlock 2018, algorithm 1]. Waits for their numbers.
void addOccupiedCoordinates(GpuRun& run, DeviceGrid& grid);

/// Adds the directory where `directoryEntries` has one. Does not wait.
void addDirectory(GpuRun& run, DeviceGrid& grid);

/// Adds the offsets that precision 32 compares, columns in the order of `single`. Does not wait.
void addOffsets(GpuRun& run, DeviceGrid& grid, const SinglePrecision& single);

/// The view of the grid and a plan for a lane program. Points into `grid`.
JoinView viewOf(const DeviceGrid& grid, const JoinPlan& plan);

}  // namespace clusterloom
