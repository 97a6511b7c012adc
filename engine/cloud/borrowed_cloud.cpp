#include "engine/cloud/borrowed_cloud.h"

#include <algorithm>
#include <string>

#include "engine/core/parallel_for.h"

namespace clusterloom {

PointCloud borrowedCloud(const BorrowedPoints& from) {
  PointCloud cloud;
  cloud.columns.reserve(from.dims);
  const char* const first = static_cast<const char*>(from.first);
  for (std::size_t j = 0; j < from.dims; ++j) {
    // No points may have no memory, either.
    const std::ptrdiff_t before = from.points > 0 ? std::ptrdiff_t(j) * from.dimStride : 0;
    cloud.columns.emplace_back(BorrowedValues{.first = first + before,
                                              .size = from.points,
                                              .stride = from.pointStride,
                                              .single = from.single,
                                              .owner = from.owner});
    cloud.names.push_back(std::to_string(j));
  }
  return cloud;
}

std::optional<PointRows> rowsOf(const PointCloud& cloud) {
  if (cloud.dims() == 0) return {};
  const BorrowedValues* const first = cloud.columns.front().borrowed();
  if (first == nullptr) return {};
  const auto bytes = std::ptrdiff_t(first->single ? sizeof(float) : sizeof(double));
  for (std::size_t j = 0; j < cloud.dims(); ++j) {
    const BorrowedValues* const column = cloud.columns[j].borrowed();
    if (column == nullptr || column->single != first->single || column->stride != first->stride ||
        column->first != first->first + std::ptrdiff_t(j) * bytes)
      return {};
  }
  return PointRows{first->first, first->stride, first->single};
}

void makeContiguous(const PointCloud& cloud) {
  parallelFor(cloud.dims(), 1, [&](std::size_t j) { cloud.column(j); });
}

std::size_t pointsAtOnce(std::size_t dims) {
  constexpr std::size_t kCoordinates = std::size_t{1} << 16;
  return std::clamp<std::size_t>(kCoordinates / std::max<std::size_t>(dims, 1), 64,
                                 kCoordinates / 4);
}

}  // namespace clusterloom
