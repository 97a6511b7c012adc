#pragma once

#include <memory>

#include "engine/load/access_pattern.h"
#include "render/scene/cell_highlights.h"
#include "render/scene/display_space.h"
#include "ui/session/display_state.h"
#include "ui/session/grid_cells.h"

namespace clusterloom {

/// The cells of a grid and their search by access pattern; kept while the grid is.
struct WalkedCells {
  explicit WalkedCells(std::shared_ptr<const GridCells> grid)
      : cells(std::move(grid)), walk(cells->geometry, cells->linearIds) {}
  std::shared_ptr<const GridCells> cells;
  AccessPatternWalk walk;
};

/// The picture of [Gallet 2019, figures 2 and 5] around one cell: an arrow to each cell that it is
/// compared with under the pattern, and in it with how many; in grids of up to two dimensions the
/// same number in all cells up to two away. Null along principal axes and for PatternArrows::None.
std::shared_ptr<const CellHighlights> patternHighlights(const WalkedCells& walked,
                                                        PatternArrows arrows, std::uint32_t cell,
                                                        const DisplaySpace& space);

}  // namespace clusterloom
