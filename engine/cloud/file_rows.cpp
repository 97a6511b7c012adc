#include "engine/cloud/file_rows.h"

#include "engine/core/lower_bound.h"

namespace clusterloom {

std::uint64_t FileRows::operator()(std::uint64_t point) const {
  // Before the row of index i among the skipped ones there are skipped_[i] − i points.
  const std::size_t skipped = firstNotBefore(
      std::size_t{0}, skipped_.size(), [&](std::size_t i) { return skipped_[i] - i <= point; });
  return (point + skipped) * every_;
}

std::string pointText(std::size_t point, const RowOfPoint& rowOf) {
  return rowOf ? "row " + std::to_string(rowOf(point)) + " (counted from 0)"
               : "point " + std::to_string(point);
}

}  // namespace clusterloom
