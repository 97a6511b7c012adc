#pragma once

#include <cstdint>
#include <vector>

#include "engine/grid/cell_geometry.h"
#include "engine/join/join_view.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// Which cells a query point's cell is compared with, as the lane program walks them ([Gallet
/// 2019], figures 2 and 5).
class AccessPatternWalk {
 public:
  /// `cellIds`: the ascending linear ids of the non-empty cells; must outlive the walk.
  AccessPatternWalk(const CellGeometry& geometry, const std::vector<std::uint64_t>& cellIds);

  /// Indices into `cellIds` of the cells that `cell` is compared with under the pattern, without
  /// itself, in the order of the visits.
  std::vector<std::uint32_t> comparedWith(std::uint32_t cell, AccessPattern pattern) const;
  /// Indices of all non-empty cells adjacent to `cell`, regardless of the pattern, without itself.
  std::vector<std::uint32_t> adjacentTo(std::uint32_t cell) const {
    return comparedWith(cell, AccessPattern::Full);
  }

 private:
  std::vector<std::vector<std::uint32_t>> occupied_;
  JoinView view_;
};

}  // namespace clusterloom
