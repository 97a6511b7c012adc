#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// Points in memory of the caller. Coordinate j of point p is `pointStride`·p + `dimStride`·j bytes
/// behind `first`, aligned for its type; strides may be negative.
struct BorrowedPoints {
  const void* first = nullptr;
  std::size_t points = 0;
  std::size_t dims = 0;
  std::ptrdiff_t pointStride = 0;
  std::ptrdiff_t dimStride = 0;
  bool single = false;                ///< float, else double
  std::shared_ptr<const void> owner;  ///< kept while the cloud or a copy of it exists; may be null
};

/// A cloud of these points that reads them in place. Its dimensions are called 0, 1, ….
PointCloud borrowedCloud(const BorrowedPoints& from);

/// Points whose coordinates stand together in memory, one point after another.
struct PointRows {
  const char* first = nullptr;
  std::ptrdiff_t stride = 0;  ///< bytes from one point to the next
  bool single = false;        ///< float, else double
};

/// The rows from which a cloud borrows all of its coordinates; nullopt where it does not.
std::optional<PointRows> rowsOf(const PointCloud& cloud);

/// Makes the contiguous copies of all borrowed columns (PointCloud::column), by the threads of the
/// caller's TBB arena, for callers that are about to read them all.
void makeContiguous(const PointCloud& cloud);

/// Points that a loop over the dimensions takes at once, so that rows stay in the cache of a core
/// from one dimension to the next.
std::size_t pointsAtOnce(std::size_t dims);

}  // namespace clusterloom
