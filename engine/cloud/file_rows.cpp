#include "engine/cloud/file_rows.h"

namespace clusterloom {

std::uint64_t FileRows::operator()(std::uint64_t point) const {
  // Before the row of index i among the skipped ones there are skipped_[i] − i points.
  std::size_t low = 0;
  std::size_t high = skipped_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (skipped_[middle] - middle <= point)
      low = middle + 1;
    else
      high = middle;
  }
  return (point + low) * every_;
}

std::string pointText(std::size_t point, const RowOfPoint& rowOf) {
  return rowOf ? "row " + std::to_string(rowOf(point)) + " (counted from 0)"
               : "point " + std::to_string(point);
}

}  // namespace clusterloom
