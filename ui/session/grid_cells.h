#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/grid/cell_geometry.h"
#include "engine/join/strategy.h"
#include "render/scene/cell_boxes.h"
#include "render/scene/display_space.h"

namespace clusterloom {

/// The non-empty cells of the grid as plain data for the overlay; coordinates are those of the
/// scaled cloud.
struct GridCells {
  double eps = 0;
  std::vector<int> dims;                  ///< indexed dimensions of the cloud, grid order
  std::vector<double> low;                ///< lower corners, dims.size() values per cell
  std::vector<double> high;               ///< upper corners
  std::vector<std::uint64_t> linearIds;   ///< one per cell, ascending
  std::vector<std::uint32_t> points;      ///< points in the cell
  std::vector<std::uint64_t> candidates;  ///< candidates of each query point in the cell
  std::vector<std::uint32_t> adjacent;    ///< non-empty adjacent cells, itself included
  std::vector<std::int32_t> cellOfPoint;  ///< one a point of the cloud: index of its cell here
  CellGeometry geometry;                  ///< defines the linear ids
  std::size_t size() const { return linearIds.size(); }
};

/// One cell, described for display.
struct CellDescription {
  std::uint64_t linearId = 0;
  std::vector<double> low;
  std::vector<double> high;
  std::uint64_t points = 0;
  std::uint64_t candidates = 0;
  std::vector<std::int64_t> adjacent;  ///< indices of the non-empty adjacent cells, itself excluded
};

/// Indexes the cloud as a run with this ε and strategy does and copies the cells out.
Result<GridCells> gridCellsOf(const PointCloud& cloud, double eps, const Strategy& strategy,
                              const Task& task);

/// Some cells of an index, in the order of `cells` (places in `cellIds`): their boxes, ids and
/// points; `candidates`, `adjacent` and `cellOfPoint` are not filled.
GridCells someCellsOf(const CellGeometry& geometry, double eps,
                      const std::vector<std::uint64_t>& cellIds,
                      const std::vector<std::uint32_t>& cellStart,
                      const std::vector<std::uint32_t>& cells);

/// Cell `index` of the grid; quick enough for the pointer to hover.
CellDescription describeCell(const GridCells& cells, std::int64_t index);

/// The cells as boxes on the displayed axes, for the overlay; un-indexed dimensions reach over the
/// whole range. Empty when the display shows principal components, on which cells are no boxes.
/// Cell i of the boxes is cell i of the grid.
CellBoxes cellBoxesOf(const GridCells& cells, const DisplaySpace& space);

}  // namespace clusterloom
