#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/cloud/scaling.h"
#include "engine/core/task.h"
#include "render/scene/cell_boxes.h"
#include "render/scene/cell_highlights.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/display_space.h"
#include "render/scene/point_colours.h"
#include "ui/session/display_state.h"
#include "ui/session/grid_cells.h"
#include "ui/session/load_result.h"
#include "ui/session/results.h"

namespace clusterloom {

/// Only points whose value is in [low, high] are drawn.
struct ValueWindow {
  std::shared_ptr<const std::vector<double>> values;  ///< one per point, not null
  double low = 0;
  double high = 0;
};

/// Everything that decides the content of the cloud view, as shared immutable values: the input of
/// a worker that prepares a picture.
struct SceneRequest {
  std::shared_ptr<const PointCloud> cloud;
  std::shared_ptr<const Dataset> dataset;  ///< of the same points; for axes that are its columns
  ViewAxes axes;
  /// The rows of a file that take part, of which the points are some; null: all. The points are
  /// then laid out as all rows are, in the space of `whole`, scaled.
  FileRowSelection keptRows;
  std::shared_ptr<const Dataset> whole;
  Scaling scaling;
  /// Made before for this cloud and these axes; null: make them.
  std::shared_ptr<const DisplayPoints> points;
  /// Made before for `points` and the subsample of `preview`; null: make them if there is one.
  std::shared_ptr<const DisplayPoints> previewPoints;
  std::shared_ptr<const ClusterResult> result;
  /// Palette index of each cluster of `result`; null: its number.
  std::shared_ptr<const std::vector<std::int32_t>> clusterColours;
  std::shared_ptr<const PreviewClustering> preview;
  std::shared_ptr<const ColourValues> values;
  std::shared_ptr<const GridCells> cells;  ///< null: the overlay is off
  /// Made before for `cells` and `points`; null: make them.
  std::shared_ptr<const CellBoxes> boxes;
  ColourBy by = ColourBy::Cluster;
  ColourMap map = ColourMap::Viridis;
  std::optional<ValueRange> range;  ///< of `values`; nullopt: chosen from them
  Background background = Background::Dark;
  std::vector<std::int32_t> highlighted;
  std::vector<std::int32_t> hidden;
  std::optional<ValueWindow> window;  ///< nullopt, or of another number of points: all are drawn
  /// Points of another cloud over this one; null: none.
  std::shared_ptr<const PointCloud> added;
  std::shared_ptr<const Dataset> addedDataset;  ///< of the same points
  /// Made before for `added` and `points`; null: make them.
  std::shared_ptr<const DisplayPoints> addedPoints;
  /// Their labels by `result`; null: they have none yet.
  std::shared_ptr<const Clustering> addedLabels;
  PointSet selected;                       ///< stand out from the others; null: none do
  FileRowSelection selectedRows;           ///< the same of the rows of a file that are no points
  std::int64_t marked = -1;                ///< point to ring; −1: none
  std::shared_ptr<const WarpLight> light;  ///< the picked warp; null: none
  std::int64_t lightStep = -1;             ///< of that warp's trace; −1: all that it does
};

/// The content that the view passes to the scene.
struct SceneContent {
  std::shared_ptr<const DisplayPoints> points;         ///< the whole cloud
  std::shared_ptr<const DisplayPoints> previewPoints;  ///< drawn instead when not null
  std::shared_ptr<const DrawnColours> colours;         ///< of those that are drawn
  std::shared_ptr<const DisplayPoints> addedPoints;    ///< of the added cloud; null: none
  std::shared_ptr<const std::vector<std::uint8_t>> addedColours;
  std::optional<std::uint32_t> marked;  ///< where the marked point is among the drawn ones
  std::optional<std::size_t> inWindow;  ///< points of the cloud in the window, if there is one
  std::optional<ScalarLegend> legend;
  std::shared_ptr<const CellBoxes> boxes;
  std::shared_ptr<const CellHighlights> highlights;  ///< cells of the picked warp
  std::string message;  ///< why cells or points cannot be drawn; usually empty

  const std::shared_ptr<const DisplayPoints>& drawn() const {
    return previewPoints ? previewPoints : points;
  }
};

/// Whether two requests show the same axes.
bool operator==(const ViewAxes& a, const ViewAxes& b);

/// Prepares the picture. Pure; long for large clouds. Cancelled when stopped.
Result<SceneContent> makeSceneContent(const SceneRequest& request, const Task& task);

/// The drawn points whose ids are in `ids` (ascending, not many), in the same drawn order, as one
/// block.
DisplayPoints subsetOf(const DisplayPoints& points, const std::vector<std::int32_t>& ids);

}  // namespace clusterloom
