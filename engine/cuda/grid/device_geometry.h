#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/grid/cell_geometry.h"
#include "engine/grid/stretches.h"

namespace clusterloom {

/// The stretches of a cloud on the device for this ε, found there except for points far from the
/// median, whose stretches the host finds. Run and cloud must outlive the result. Finding waits,
/// and throws CudaStopped.
Stretches stretchesOf(GpuRun& run, const DeviceCloud& cloud, double eps);

/// makeCellGeometry within a run. Throws CudaStopped.
inline CellGeometry geometryOf(const GpuRun& run, Stretches& stretches, const Bounds& bounds,
                               double eps, int reach, const std::vector<int>& dims) {
  auto geometry = makeCellGeometry(stretches, bounds, eps, reach, dims, run.task());
  if (!geometry) throw CudaStopped();
  return std::move(*geometry);
}
/// The same for a cloud on the device that is cut for ε only once.
inline CellGeometry geometryOf(GpuRun& run, const DeviceCloud& cloud, const Bounds& bounds,
                               double eps, int reach, const std::vector<int>& dims) {
  Stretches stretches = stretchesOf(run, cloud, eps);
  return geometryOf(run, stretches, bounds, eps, reach, dims);
}

/// A CellGeometry as a kernel's argument.
struct DeviceGeometry {
  static constexpr int kMaxIndexed = 8;
  int indexedDims = 0;
  std::uint32_t reach = 1;
  int dims[kMaxIndexed] = {};
  double origin[kMaxIndexed] = {};
  double side[kMaxIndexed] = {};
  const double* slices[kMaxIndexed] = {};  ///< in device memory; null: cells of one length
  std::uint32_t sliceCount[kMaxIndexed] = {};
  std::uint64_t stride[kMaxIndexed] = {};
};

/// A geometry with its tables of slices in device memory, which must live until the kernels that
/// use `geometry` are queued.
struct UploadedGeometry {
  DeviceGeometry geometry;
  std::vector<DeviceBuffer<double>> tables;
};

/// Queues the upload; the tables of `geometry` must stay until the run has been waited for.
inline UploadedGeometry uploadGeometry(const Lease& lease, const CellGeometry& geometry) {
  UploadedGeometry there;
  DeviceGeometry& g = there.geometry;
  g.indexedDims = geometry.indexedDims();
  g.reach = std::uint32_t(geometry.reach);
  for (std::size_t i = 0; i < geometry.dims.size(); ++i) {
    g.dims[i] = geometry.dims[i];
    g.origin[i] = geometry.origin[i];
    g.side[i] = geometry.side[i];
    g.stride[i] = geometry.stride[i];
    if (!geometry.hasSlices(i)) continue;
    DeviceBuffer<double> table(lease, geometry.slices[i].size());
    table.upload(geometry.slices[i]);
    g.slices[i] = table.data();
    g.sliceCount[i] = std::uint32_t(geometry.slices[i].size() - 1);
    there.tables.push_back(std::move(table));
  }
  return there;
}

#ifdef __CUDACC__
/// CellGeometry::linearId, bit for bit, of a point whose coordinate in dimension j is
/// coordinate(j).
template <class Coordinate>
__device__ std::uint64_t linearIdOf(const DeviceGeometry& g, const Coordinate& coordinate) {
  std::uint64_t id = 0;
  for (int i = 0; i < g.indexedDims; ++i) {
    const double x = coordinate(std::size_t(g.dims[i]));
    const std::uint32_t cell = g.slices[i] != nullptr
                                   ? sliceOf(g.slices[i], g.sliceCount[i], x)
                                   : std::uint32_t((x - g.origin[i]) / g.side[i]);
    id += (cell + g.reach) * g.stride[i];
  }
  return id;
}

/// The same of point p of dimension-major columns, of which each begins `stride` values after the
/// one before.
__device__ inline std::uint64_t linearIdOf(const DeviceGeometry& g, const double* columns,
                                           std::size_t stride, std::size_t p) {
  return linearIdOf(g, [&](std::size_t j) { return columns[j * stride + p]; });
}
#endif

}  // namespace clusterloom
