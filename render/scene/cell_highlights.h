#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "render/paint/painter.h"
#include "render/paint/theme.h"
#include "render/scene/cell_boxes.h"
#include "render/scene/display_space.h"
#include "render/scene/picking.h"

namespace clusterloom {

/// Cells that a scene highlights over its picture: those of a warp's query points and what they are
/// compared with, or which cells an access pattern compares [Gallet 2019, figures 2 and 5].
struct CellHighlights {
  CellBoxes cells;
  std::size_t own = 0;  ///< cells [0, own) in the accent colour, the others in plain lines
  /// From cell to cell, places in `cells`: first is compared with second.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arrows;
  std::vector<std::uint32_t>
      numbers;  ///< written into each cell that is large enough; may be empty
};

/// Paints them as seen through `view`, a scene's transform; nothing when the cells' axes are not
/// the space's.
void paintHighlights(Painter& painter, const CellHighlights& highlights, const DisplaySpace& space,
                     const ViewTransform& view, const Theme& theme);

}  // namespace clusterloom
