#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"

namespace clusterloom {

/// How space is cut into cells along the indexed dimensions. Entry i of each vector belongs to
/// indexed dimension i, slowest in the linear id first.
///
/// Every pair that the canonical predicate accepts lies at most `reach` cells apart in every
/// indexed dimension, and `reach` empty cells pad each end, so a window of ± reach cells never
/// wraps.
struct CellGeometry {
  int reach = 1;                      ///< cells that one ε spans
  std::vector<int> dims;              ///< which dimensions of the cloud are indexed
  std::vector<double> origin;         ///< lowest coordinate
  std::vector<double> side;           ///< length of a cell, ≥ ε / reach (see cell_geometry.cpp)
  std::vector<std::uint32_t> extent;  ///< number of cells, padding included, ≤ 2³¹
  std::vector<std::uint64_t> stride;  ///< linear id = Σ coordinate · stride; 1 for the last
  std::string note;                   ///< what had to be enlarged, empty when nothing

  int indexedDims() const { return static_cast<int>(dims.size()); }

  /// Cell coordinate of coordinate x in indexed dimension i, padding included.
  std::uint32_t coordinate(double x, std::size_t i) const {
    return static_cast<std::uint32_t>((x - origin[i]) / side[i]) +
           static_cast<std::uint32_t>(reach);
  }

  /// Linear id of the cell that holds point p.
  std::uint64_t linearId(const PointCloud& cloud, std::size_t p) const {
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < dims.size(); ++i)
      id += coordinate(cloud.columns[static_cast<std::size_t>(dims[i])][p], i) * stride[i];
    return id;
  }

  /// Cell coordinates of a linear id.
  std::vector<std::uint32_t> coordinatesOf(std::uint64_t linearId) const;
};

/// Cuts the bounding box for ε. `dims` are the dimensions to index, slowest first. Sides grow, the
/// longest extents first, where linear ids would pass 62 bits; `note` then says so.
CellGeometry makeCellGeometry(const Bounds& bounds, double eps, int reach,
                              const std::vector<int>& dims);

}  // namespace clusterloom
