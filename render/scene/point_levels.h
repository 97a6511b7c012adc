#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "render/scene/display_space.h"
#include "render/scene/picking.h"

namespace clusterloom {

/// Expected number of points of level 0.
inline constexpr std::size_t kRootPoints = 32768;
/// Points of a block of a further level, at most.
inline constexpr std::size_t kBlockPoints = 8192;

/// Sorts points into levels of detail. Before, `xyz` is in the order of the ids and `order` and
/// `blocks` are empty. The level of a point is drawn by its id: level l has half of the points of
/// levels 0 to l, so that the levels up to any one are a fair sample, densities included. Within a
/// level the points lie in Morton order, cut into the leaves of a binary tree of cells, a level of
/// an octree (in 2-D a quadtree) in three steps (two), and shuffled within each. Clouds of at most
/// kRootPoints are one block.
/// In parallel; Cancelled.
Result<void> sortIntoLevels(DisplayPoints& points, const Task& task);

/// The blocks that a picture needs, in the order in which they are drawn: level 0, then those whose
/// absence would be seen most, measured by the distance between the points of the levels before as
/// it appears in the picture. Left out are blocks whose box is outside of the view by more than
/// `margin` pixels.
std::vector<std::uint32_t> visibleBlocks(const DisplayPoints& points, const ViewTransform& view,
                                         double margin);

/// Whether points of this block may be within the box in the picture (pixels from the lower left).
bool mayBeWithin(const PointBlock& block, const ViewTransform& view, double left, double bottom,
                 double right, double top);

}  // namespace clusterloom
