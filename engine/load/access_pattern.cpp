#include "engine/load/access_pattern.h"

#include "engine/join/lane_program.h"

namespace clusterloom {

AccessPatternWalk::AccessPatternWalk(const CellGeometry& geometry,
                                     const std::vector<std::uint64_t>& cellIds)
    : occupied_(occupiedCoordinates(geometry, cellIds)),
      // No distances are needed: any ε and any number of dimensions will do.
      view_(viewWithoutArrays(geometry, JoinPlan{}, geometry.dims.size())) {
  view_.cellIds = cellIds.data();
  view_.cells = std::uint32_t(cellIds.size());
  for (std::size_t i = 0; i < occupied_.size(); ++i) {
    view_.occupied[i] = occupied_[i].data();
    view_.occupiedCount[i] = std::uint32_t(occupied_[i].size());
  }
}

std::vector<std::uint32_t> AccessPatternWalk::comparedWith(std::uint32_t cell,
                                                           AccessPattern pattern) const {
  std::vector<std::uint32_t> cells;
  JoinView view = view_;
  view.pattern = pattern;
  SerialLane lane;
  visitAdjacentCells<0>(lane, view, cell, [&cells](std::uint32_t other) {
    cells.push_back(other);
    return false;
  });
  return cells;
}

}  // namespace clusterloom
