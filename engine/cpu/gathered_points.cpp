#include "engine/cpu/gathered_points.h"

#include <algorithm>
#include <utility>

namespace clusterloom {

void GatheredPoints::add(const CandidateScan& scan, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t count = end - begin;
  if (size_ + std::size_t{count} > capacity_) grow(size_ + std::size_t{count});
  const std::size_t dims = columns_.size();
  const double* const* from = scan.columns().data();
  // Point by point: the ranges are too short for calls that copy memory.
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < dims; ++j) columns_[j][size_ + i] = from[j][begin + i];
  size_ += count;
}

void GatheredPoints::grow(std::size_t least) {
  const std::size_t capacity = std::max<std::size_t>({least, 2 * capacity_, 256});
  std::vector<double> values(capacity * columns_.size());
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    double* const to = values.data() + j * capacity;
    std::copy_n(columns_[j], size_, to);
    columns_[j] = to;
  }
  values_ = std::move(values);
  capacity_ = capacity;
}

}  // namespace clusterloom
