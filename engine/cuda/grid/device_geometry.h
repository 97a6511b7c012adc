#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/grid/cell_geometry.h"

namespace clusterloom {

/// A CellGeometry as a kernel's argument.
struct DeviceGeometry {
  static constexpr int kMaxIndexed = 8;
  int indexedDims = 0;
  std::uint32_t reach = 1;
  int dims[kMaxIndexed] = {};
  double origin[kMaxIndexed] = {};
  double side[kMaxIndexed] = {};
  std::uint64_t stride[kMaxIndexed] = {};
};

inline DeviceGeometry deviceGeometryOf(const CellGeometry& geometry) {
  DeviceGeometry there;
  there.indexedDims = geometry.indexedDims();
  there.reach = static_cast<std::uint32_t>(geometry.reach);
  for (std::size_t i = 0; i < geometry.dims.size(); ++i) {
    there.dims[i] = geometry.dims[i];
    there.origin[i] = geometry.origin[i];
    there.side[i] = geometry.side[i];
    there.stride[i] = geometry.stride[i];
  }
  return there;
}

/// Number of linear ids, padding included: one more than the highest.
inline std::uint64_t linearIdsOf(const CellGeometry& geometry) {
  return geometry.stride.front() * geometry.extent.front();
}

#ifdef __CUDACC__
/// CellGeometry::linearId, bit for bit, of point p of dimension-major columns of n values.
__device__ inline std::uint64_t linearIdOf(const DeviceGeometry& g, const double* columns,
                                           std::size_t n, std::size_t p) {
  std::uint64_t id = 0;
  for (int i = 0; i < g.indexedDims; ++i) {
    const double x = columns[static_cast<std::size_t>(g.dims[i]) * n + p];
    id += (static_cast<std::uint32_t>((x - g.origin[i]) / g.side[i]) + g.reach) * g.stride[i];
  }
  return id;
}
#endif

}  // namespace clusterloom
