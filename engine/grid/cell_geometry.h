#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/grid/slices.h"

namespace clusterloom {

/// The division of space into cells along the indexed dimensions. Entry i of each vector belongs to
/// indexed dimension i, slowest in the linear id first.
///
/// A dimension is cut into parts of one length, or, where these could not be numbered, into
/// adaptive slices (engine/grid/slices.h). Every pair that the canonical predicate accepts lies at
/// most `reach` cells apart in every indexed dimension, and `reach` empty cells pad each end, so a
/// window of ± reach cells never wraps.
struct CellGeometry {
  int reach = 1;               ///< cells that one ε spans
  std::vector<int> dims;       ///< which dimensions of the cloud are indexed
  std::vector<double> origin;  ///< lowest coordinate
  std::vector<double> side;    ///< length of a cell, ≥ ε / reach; unused with slices
  /// Bounds of the slices, ascending, one more than there are slices; empty: cells of one length.
  std::vector<std::vector<double>> slices;
  /// At least the difference of any two points of one cell …
  std::vector<double> span;
  /// … and of any two points of one cell or of adjacent cells (coordinates that differ by 1).
  std::vector<double> pairSpan;
  std::vector<std::uint32_t> extent;  ///< number of cells, padding included, ≤ 2³¹
  std::vector<std::uint64_t> stride;  ///< linear id = Σ coordinate · stride; 1 for the last

  int indexedDims() const { return int(dims.size()); }
  bool hasSlices(std::size_t i) const { return !slices[i].empty(); }

  /// Cell coordinate of coordinate x of a point of the cloud in indexed dimension i, padding
  /// included.
  std::uint32_t coordinate(double x, std::size_t i) const {
    if (!hasSlices(i)) return evenCoordinate(x, i);
    return sliceOf(slices[i].data(), std::uint32_t(slices[i].size()) - 1, x) + std::uint32_t(reach);
  }
  /// The same where cells have one length.
  std::uint32_t evenCoordinate(double x, std::size_t i) const {
    return std::uint32_t((x - origin[i]) / side[i]) + std::uint32_t(reach);
  }

  /// Linear id of the cell that holds point p.
  std::uint64_t linearId(const PointCloud& cloud, std::size_t p) const {
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < dims.size(); ++i)
      id += coordinate(cloud.columns[std::size_t(dims[i])][p], i) * stride[i];
    return id;
  }

  /// Linear ids of the points from `begin` on, as many as `ids` has room for.
  void linearIds(const PointCloud& cloud, std::size_t begin, std::span<std::uint64_t> ids) const;

  /// Number of linear ids, padding included: one more than the highest.
  std::uint64_t linearIds() const { return stride.front() * extent.front(); }

  /// Cell coordinates of a linear id.
  std::vector<std::uint32_t> coordinatesOf(std::uint64_t linearId) const;

  /// Where the cells with this coordinate in indexed dimension i, which holds points, begin and
  /// end. For pictures: with cells of one length off by a rounding.
  double lowEdge(std::uint32_t coordinate, std::size_t i) const;
  double highEdge(std::uint32_t coordinate, std::size_t i) const;
};

/// Cuts a cloud with these bounds for ε. `dims` are the dimensions to index, slowest first.
/// Dimensions get slices only where linear ids would pass 62 bits or coordinates 31 bits; slices
/// are merged where even their ids would. Cancelled when stopped.
Result<CellGeometry> makeCellGeometry(const PointCloud& cloud, const Bounds& bounds, double eps,
                                      int reach, const std::vector<int>& dims,
                                      const Task& task = {});
/// The same with the cloud's stretches for this ε, which several geometries can share.
Result<CellGeometry> makeCellGeometry(Stretches& stretches, const Bounds& bounds, double eps,
                                      int reach, const std::vector<int>& dims,
                                      const Task& task = {});

}  // namespace clusterloom
