#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace clusterloom {

/// The distinct linear ids of points in the order of their cells, and where each cell begins.
struct CellRuns {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> start;  ///< one more than ids
};

/// From the ascending linear ids of points at positions from `first` on. Parallel.
CellRuns cellRunsOf(std::span<const std::uint64_t> sortedIds, std::uint32_t first);

}  // namespace clusterloom
