#pragma once

#include <cstdint>
#include <vector>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/distributed/division_view.h"
#include "engine/distributed/space_division.h"

// The kernels of a DBSCAN that is divided in space between GPUs. All of them queue their work on
// the run's stream, and wait only where they say so. Cells, owners and near ranks are those of the
// CPU's ranks: both compile engine/distributed/division_view.h.

namespace clusterloom {

/// A division with its tables in device memory.
struct DeviceDivision {
  DivisionView view;
  SliceGuess guesses[DivisionView::kMostCuts] = {};
  DeviceBuffer<std::uint16_t> guessed;
  DeviceBuffer<double> bounds;
  DeviceBuffer<int> owner;
};
/// Without the owners.
DeviceDivision uploadDivision(GpuRun& run, const SpaceDivision& division);
void uploadOwners(GpuRun& run, const SpaceDivision& division, DeviceDivision& there);

/// The cell of each point of the cloud, and how many points are in each of so many cells. Waits.
std::vector<std::uint64_t> countPointsOfCells(GpuRun& run, const DeviceCloud& cloud,
                                              const DeviceDivision& division, std::size_t cells,
                                              DeviceBuffer<std::uint32_t>& cellOfPoint);

/// The points by the owner of their cell, ascending for each of `ranks` owners.
DeviceBuffer<std::uint32_t> orderByOwner(GpuRun& run, const DivisionView& division, int ranks,
                                         const DeviceBuffer<std::uint32_t>& cellOfPoint);

/// into[i]: whether other ranks than its owner may have neighbours of point order[i], by `inner`
/// (NearRanks::innerCells).
void flagOuter(GpuRun& run, const std::uint32_t* order, std::size_t count,
               const DeviceBuffer<std::uint32_t>& cellOfPoint,
               const DeviceBuffer<std::uint8_t>& inner, std::uint8_t* into);

/// The points of which other ranks get copies.
struct BorderPoints {
  std::vector<DeviceBuffer<std::uint32_t>> toRank;  ///< ascending; may be longer than …
  std::vector<std::uint32_t> counts;                ///< … the number of points for each rank
};
/// Those of the points of rank `self`, of which `outer` flags the candidates. Waits.
BorderPoints borderPointsOf(GpuRun& run, const DeviceCloud& own, const DivisionView& division,
                            const DeviceBuffer<std::uint8_t>& outer, int ranks, int self,
                            double squaredEps);

/// Column j of the points order[0 … count): into[j · stride + i] for each dimension.
void gatherPoints(GpuRun& run, const DeviceCloud& cloud, const std::uint32_t* order,
                  std::size_t count, double* into, std::size_t stride);
/// into[i] = values[order[i]] for i < count.
void gatherValues(GpuRun& run, const std::uint32_t* values, const std::uint32_t* order,
                  std::size_t count, std::uint32_t* into);
/// into[order[i]] = values[i] for i < count.
void scatterValues(GpuRun& run, const std::uint8_t* values, const std::uint32_t* order,
                   std::size_t count, std::uint8_t* into);
void scatterValues(GpuRun& run, const std::int32_t* values, const std::uint32_t* order,
                   std::size_t count, std::int32_t* into);

/// into[p] = the owner of each point p, of points by owner, `counts` for each.
void ownersOfPoints(GpuRun& run, const DeviceBuffer<std::uint32_t>& order,
                    const std::vector<std::uint64_t>& counts, DeviceBuffer<std::uint16_t>& into);

/// clusters[i] for which no cluster j of `others` is i, ascending, of so many clusters. `others`
/// has each once.
DeviceBuffer<std::uint32_t> otherClusters(GpuRun& run, std::size_t clusters,
                                          const std::vector<std::uint32_t>& others);

/// The place of the first of ascending values that is ≥ each limit. Waits.
std::vector<std::uint64_t> placesOf(GpuRun& run, const DeviceBuffer<std::uint32_t>& values,
                                    const std::vector<std::uint64_t>& limits);

/// values[i] −= by for i < count.
void subtract(GpuRun& run, std::uint32_t* values, std::size_t count, std::uint32_t by);

/// places[i] = order[places[i]], and marks these points, for i < count.
void markPoints(GpuRun& run, const std::uint32_t* order, std::uint32_t* places, std::size_t count,
                std::uint32_t* marks);

/// into[i] = first + before[points[i]] for i < count.
void numbersOfPoints(GpuRun& run, const std::uint32_t* before, std::uint32_t first,
                     const std::uint32_t* points, std::size_t count, std::int32_t* into);

/// Sets flags[clusters[i]] where that is no negative number.
void markClusters(GpuRun& run, const std::int32_t* clusters, std::size_t count,
                  std::uint8_t* flags);

/// The different pairs (own cluster, their cluster) of copied points that are core, each as
/// own · 2³² + theirs, ascending, in the first places of `links`; how many goes to *count (device).
/// Clusters are negative where a point is not core.
void linksOfCopies(GpuRun& run, const std::int32_t* own, const std::int32_t* theirs,
                   std::size_t copies, DeviceBuffer<std::uint64_t>& links, std::uint32_t* count);

}  // namespace clusterloom
