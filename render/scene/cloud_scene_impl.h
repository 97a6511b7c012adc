#pragma once

#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkRenderer.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "render/paint/painted_item.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cell_highlights.h"
#include "render/scene/cell_overlay.h"
#include "render/scene/cloud_scene.h"
#include "render/scene/frame_budget.h"
#include "render/scene/legend.h"
#include "render/scene/paint_axes.h"
#include "render/scene/point_colours.h"
#include "render/scene/point_prop.h"
#include "render/scene/view_sample.h"
#include "render/scene/view_style.h"

namespace clusterloom {

/// The state of a scene, for the files cloud_scene*.cpp: content, camera, frames.
struct CloudScene::Impl {
  struct Size {
    int width = 0;
    int height = 0;
    friend bool operator==(const Size&, const Size&) = default;
    bool empty() const { return width <= 0 || height <= 0; }
  };

  // Three layers: what is under the points, the points, what is over them.
  vtkNew<vtkRenderer> under;
  vtkNew<vtkRenderer> middle;
  vtkNew<vtkRenderer> over;
  vtkNew<vtkCamera> camera;
  vtkNew<PointProp> points;
  vtkNew<PointProp> stored;  ///< all points of the file
  vtkNew<PointProp> added;
  vtkNew<PaintedItem> underItem;
  vtkNew<PaintedItem> overItem;
  vtkNew<TurnStyle> turnStyle;
  vtkNew<FlatStyle> flatStyle;
  vtkNew<vtkCallbackCommand> observer;
  vtkRenderWindow* window = nullptr;
  std::unique_ptr<CellOverlay> cellOverlay;

  // --- content (cloud_scene.cpp)
  std::shared_ptr<const StoredPoints> storedPoints;
  std::optional<std::uint64_t> storedShown;  ///< so many of them take part; nullopt: all
  std::shared_ptr<const CellBoxes> cells;
  CellColour cellColour = CellColour::Count;
  std::optional<std::size_t> cellMarker;
  std::shared_ptr<const CellHighlights> highlights;
  std::optional<std::uint32_t> marker;
  std::optional<std::array<double, 3>> markedPlace;  ///< instead of a point
  double markerRadius = 0;
  std::optional<ScalarLegend> legend;
  Caption caption;
  Background background = Background::Dark;
  std::optional<Colour> ground;
  double ratio = 1;
  double pointSize = 0;
  double opacity = 1;
  double noise = kNoiseStrength;
  bool densityBlended = false;
  double relief = 0;
  bool axesVisible = true;
  bool orthographic = false;
  std::optional<std::string> scaleUnit;
  bool plainColours = true;  ///< colours were never set, and follow the background
  bool plainStale = false;   ///< they are to be made before the next frame

  bool parallel() const { return flat() || orthographic; }
  bool flat() const { return !points->points() || points->points()->space.axes < 3; }
  Theme theme() const;
  const DisplaySpace* space() const {
    return points->points() ? &points->points()->space : nullptr;
  }
  void contentChanged() { changed = true; }
  void restyle();
  void colourPlain();
  static void onEvent(vtkObject* caller, unsigned long event, void* self, void* data);

  // --- camera (cloud_scene_camera.cpp)
  bool fitWanted = true;             ///< as soon as the size is known
  std::vector<double> fittedCamera;  ///< of the last fitAll(): a resize then fits again
  Size fittedSize;

  Size size() const;
  /// Of all points that may be drawn.
  DisplayBox wholeBox() const;
  /// Of those that take part. Where some stored ones do not, it is that of the points in memory,
  /// which are a sample of those that do.
  DisplayBox shownBox() const;
  DisplayBox boxWith(const double* ofStored) const;
  ViewTransform transform() const;
  /// Width that flat views leave free for the legend, so that it covers no points.
  double legendWidth() const;
  /// Shows a box in this fraction of the space that rulers, legend and caption leave; of a flat
  /// view `edge` pixels at each side stay free, too.
  void fitBox(const DisplayBox& box, double part, double edge = 0);
  void fitAll();
  bool isFitted() const;
  /// After the free space changed: fits again if the camera has not moved since fitAll().
  void keepFitted(bool wasFitted);

  // --- frames (cloud_scene_frame.cpp)
  bool interacting = false;
  bool progressive = true;
  double frameMs = 30;  ///< for which a frame may draw points
  FrameBudget budget;
  std::size_t pointBudget = 0;  ///< of a frame that starts anew; 0: `budget`
  bool changed = true;          ///< something other than the camera changed since the last frame
  std::vector<double> shownCamera;  ///< of the last frame
  Size shownSize;
  AxesLayout layout;
  bool storedPlanned = false;  ///< the blocks of stored points in the picture are chosen
  bool measured = false;       ///< `ownSize` and `legendPlace` are those of the picture
  double ownOpacity = 1;       ///< where density is blended
  double ownSize = 3;          ///< automatic diameter of points, logical pixels
  ViewSample sample;           ///< of the last measured view
  LegendPlace legendPlace = LegendPlace::Right;

  double drawnPointSize() const { return (pointSize > 0 ? pointSize : ownSize) * ratio; }
  /// The part of the picture in which the legend may be.
  PixelBox legendArea() const {
    return {layout.leftBand, layout.bottomBand, double(size().width), double(size().height)};
  }
  /// What is painted of a scale bar; nullopt where there is none.
  std::optional<ScaleBar> scaleBar() const;
  PixelBox scaleBarBox(const ScaleBar& bar) const;
  /// The place of these where something of this size covers fewest points; never where the legend
  /// or what is `taken` is.
  PixelBox freestOf(std::initializer_list<LegendPlace> places, double width, double height,
                    const std::optional<PixelBox>& taken) const;
  void measure(bool moved);
  void layOut();
  void planPoints(bool restart);
  void planStored(bool restart, std::size_t further);
  bool isStoredComplete() const;
  bool canContinue(const Size& pixels) const;
  /// How many points there are for each of those in memory.
  double pointsForOne() const;
  PointLook look() const;
  PointLook addedLook() const;
  void prepareFrame();
  void paintUnder(Painter& painter) const;
  void paintOver(Painter& painter) const;
  void paintMarks(Painter& painter) const;
  void paintMarker(Painter& painter, const ViewTransform& view) const;
};

}  // namespace clusterloom
