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

  /// Places in `cellIds` of the cells that `cell` is compared with under the pattern, itself left
  /// out, in the order in which they are visited.
  std::vector<std::uint32_t> comparedWith(std::uint32_t cell, AccessPattern pattern) const;
  /// Places of all non-empty cells adjacent to `cell`, whatever the pattern; itself left out.
  std::vector<std::uint32_t> adjacentTo(std::uint32_t cell) const {
    return comparedWith(cell, AccessPattern::Full);
  }

 private:
  std::vector<std::vector<std::uint32_t>> occupied_;
  JoinView view_;
};

}  // namespace clusterloom
