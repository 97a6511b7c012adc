#pragma once

#include <array>
#include <cstddef>

#include "render/paint/painter.h"
#include "render/paint/theme.h"
#include "render/scene/cell_boxes.h"
#include "render/scene/display_space.h"
#include "render/scene/picking.h"

namespace clusterloom {

// Marks painted over a scene. Positions are in display coordinates; what is behind the viewer is
// not painted.

/// A small cross: the centre of rotation.
void paintCross(Painter& painter, const ViewTransform& view, const std::array<double, 3>& at);

/// A ring of this radius (device pixels) around a point, in black and white, which no cluster has.
void paintRing(Painter& painter, const ViewTransform& view, const std::array<double, 3>& at,
               double radius);

/// A circle around a point that passes through `edge`.
void paintCircleThrough(Painter& painter, const ViewTransform& view,
                        const std::array<double, 3>& at, const std::array<double, 3>& edge,
                        Colour colour);

/// The outline of one cell.
void paintCellOutline(Painter& painter, const ViewTransform& view, const DisplaySpace& space,
                      const CellBoxes& cells, std::size_t cell, Colour colour);

}  // namespace clusterloom
