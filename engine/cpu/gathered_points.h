#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cpu/candidate_scan.h"

namespace clusterloom {

/// Coordinates of points near a cell, copied together: one loop over them takes less time than a
/// loop over each of the short ranges that hold them.
class GatheredPoints {
 public:
  explicit GatheredPoints(std::size_t dims) : columns_(dims) {}

  std::uint32_t size() const { return size_; }
  void clear() { size_ = 0; }

  /// Appends positions [begin, end) of the scan's cloud.
  void add(const CandidateScan& scan, std::uint32_t begin, std::uint32_t end);

  /// Neighbours of the point at position `query`, as CandidateScan::count.
  std::uint32_t count(const CandidateScan& scan, std::uint32_t query, std::uint32_t enough) const {
    return scan.countAmong(columns_.data(), query, 0, size_, enough);
  }

 private:
  void grow(std::size_t least);

  std::vector<double*> columns_;  // into values_
  std::vector<double> values_;
  std::size_t capacity_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace clusterloom
