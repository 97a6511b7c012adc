#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/paint/colour_map.h"
#include "render/paint/theme.h"
#include "render/scene/cell_boxes.h"
#include "render/scene/display_space.h"
#include "render/scene/drawn_colours.h"
#include "render/scene/picking.h"
#include "render/scene/stored_reader.h"

class vtkInteractorObserver;
class vtkRenderWindow;
class vtkRenderer;

namespace clusterloom {

struct CellHighlights;

/// Looks along an axis of a 3-D scene, or at a corner of its box.
enum class ViewPreset { Front, Back, Left, Right, Top, Bottom, Corner };

/// The legend of a scalar: a bar with real numbers.
struct ScalarLegend {
  std::string title;
  ScalarScale scale;
};

/// The cloud on screen: points, axes with real numbers, grid cells, legend, marker. One and
/// two-dimensional clouds lie flat under a 2-D camera (drag pans, wheel zooms); three-dimensional
/// ones turn (drag rotates, Ctrl or middle pans, wheel or right zooms).
///
/// Setters are cheap (they take results of workers) and draw nothing; the host renders. Points are
/// drawn in blocks of levels of detail (point_levels.h), those within the view only: a frame draws
/// as many as it has time for when something changed, coarse levels first, and as many more when
/// nothing did, on top of those before, so no frame takes long. The host's loop is
///     window->Render();  if (scene.moreToDraw()) render again when idle;
/// and setInteracting(true) while the user moves the view keeps to what the first frame draws. All
/// calls belong to the thread that renders.
class CloudScene {
 public:
  CloudScene();
  ~CloudScene();
  CloudScene(const CloudScene&) = delete;
  CloudScene& operator=(const CloudScene&) = delete;

  /// Adds the scene's renderers (points below, overlays above) to a window; detach before the
  /// window is destroyed. A scene is in one window at a time.
  void attach(vtkRenderWindow* window);
  void detach();
  /// The renderer of the points, whose camera is the scene's.
  vtkRenderer* renderer() const;
  /// The style that moves this scene's camera; give it to the interactor. It changes with the
  /// number of axes: get it again after setPoints.
  vtkInteractorObserver* interactorStyle() const;

  /// Shows other points; null shows nothing. The camera is kept when axes and extent stay the same,
  /// else everything is shown; also where the box of the points is another one, and the camera has
  /// not moved since everything was shown. Colours are reset to one plain colour.
  void setPoints(std::shared_ptr<const DisplayPoints> points);
  const std::shared_ptr<const DisplayPoints>& points() const;
  /// Colours of these very points, not null; ignored when the length does not fit.
  void setColours(std::shared_ptr<const DrawnColours> colours);
  /// The same from colourPoints.
  void setColours(std::vector<std::uint8_t> colours) {
    setColours(std::make_shared<const DrawnColours>(std::move(colours)));
  }
  const DrawnColours& colours() const;

  /// Points of another cloud over these, as diamonds: laid out in the space of these
  /// (makeDisplayPoints), with colours as for setColours. Null: none. They belong to what is shown
  /// as a whole, and are forgotten with these points.
  void setAddedPoints(std::shared_ptr<const DisplayPoints> points,
                      std::vector<std::uint8_t> colours);
  const std::shared_ptr<const DisplayPoints>& addedPoints() const;

  /// All points of a file of which these are a sample, in the same space, with a colourer of
  /// theirs. They are drawn while the view rests, after these, and at most kMostStored of a view:
  /// those of the coarsest levels. pickRow finds them, setMarkedPlace marks them. Null: none; so it
  /// is after setPoints with another space. `shown` is how many take part, where the colourer hides
  /// the others for good; nullopt: all.
  void setStoredPoints(std::shared_ptr<const StoredPoints> stored, StoredColourer colourer,
                       std::optional<std::uint64_t> shown = {});
  const std::shared_ptr<const StoredPoints>& storedPoints() const;
  static constexpr std::size_t kMostStored = 20'000'000;
  /// How many of them the picture has.
  std::size_t drawnStoredPoints() const;
  /// Why some of them are missing in the picture; nothing where all could be read.
  std::optional<Error> storedError() const;

  /// Device-independent diameter in pixels, 1 to 20. 0 picks one from the number of points.
  void setPointSize(double size);
  /// 0.02 (faint) to 1 (opaque, as at first): where points lie over each other, faint ones show how
  /// many.
  void setPointOpacity(double opacity);
  /// Whether points of flat views let those below shine through where many lie over each other, so
  /// that the density within a cluster is seen. At first they do not.
  void setDensityBlended(bool blended);
  /// How strongly noise is drawn: 1 as other points; below, it is smaller, translucent and behind
  /// them; 0 not at all. At first kNoiseStrength.
  void setNoiseStrength(double strength);
  /// Darkens points that lie behind their neighbours in 3-D pictures, so that the shape of a scan
  /// is seen: 0 (at first) not at all, 1 strongly. Translucent points are not shaded, nor is a
  /// picture before all of its points are drawn.
  void setRelief(double strength);
  void setBackground(Background background);
  Background background() const;
  /// Another ground than that of the background, without a gradient: for pictures whose ground is
  /// taken away afterwards. nullopt: the background's own.
  void setGround(const std::optional<Colour>& ground);
  /// Device pixels per logical pixel: scales fonts, points and lines.
  void setPixelRatio(double ratio);
  void setAxesVisible(bool visible);
  /// Shows 3-D clouds in parallel instead of perspective projection: lengths are to scale anywhere.
  void setOrthographic(bool orthographic);
  bool isOrthographic() const;
  /// A bar of a round length in flat and orthographic views, with this unit, which may be empty;
  /// nullopt: none. There is none where axes are stretched.
  void setScaleBar(const std::optional<std::string>& unit);
  /// A line of text at the top left (“approximate preview …”, an image's title); empty for none.
  void setCaption(const std::string& text);
  /// A second, fainter line below it.
  void setSubcaption(const std::string& text);
  void setLegend(const std::optional<ScalarLegend>& legend);
  const std::optional<ScalarLegend>& legend() const;
  /// Rings a drawn point in black and white, which no cluster has; nullopt for none.
  void setMarker(std::optional<std::uint32_t> drawn);
  /// Rings a place in display coordinates instead; nullopt for none, as after setPoints.
  void setMarkedPlace(const std::optional<std::array<double, 3>>& place);
  /// A circle (flat) or sphere outline of radius ε in original units around the marker; 0 for none.
  void setMarkerRadius(double eps);

  /// Shows cells of the grid coloured by count or workload, on a logarithmic scale. At most
  /// `kMostCells` are drawn, the heaviest; the returned message says so, else it is empty. Cells
  /// whose number of axes is not the display's are not drawn, and the message says so.
  std::string setCells(std::shared_ptr<const CellBoxes> cells, CellColour by);
  static constexpr std::size_t kMostCells = 20000;
  /// Outlines one cell (an index into CellBoxes); nullopt for none.
  void setCellMarker(std::optional<std::size_t> cell);
  /// Highlights cells over the picture (render/scene/cell_highlights.h); null for none.
  void setHighlights(std::shared_ptr<const CellHighlights> highlights);
  /// The scale on which cells are coloured now, for a legend; nullopt when none are shown.
  std::optional<ScalarScale> cellScale() const;

  /// Shows everything.
  void fit();
  /// Whether the camera has not moved since everything was shown.
  bool isFitted() const;
  /// Shows a box of display coordinates (see boxOfLabels).
  void zoomTo(const DisplayBox& box);
  /// Looks along an axis; in flat scenes the same as fit().
  void setViewPreset(ViewPreset preset);
  /// Zooms by a factor about the middle (> 1 comes nearer); for keys and buttons.
  void zoomBy(double factor);
  /// Turns a 3-D scene by degrees to the right and up, or pans a flat one by fractions of the view
  /// (degrees / 90); for keys.
  void turnBy(double right, double up);
  /// A place in display coordinates about which 3-D views turn; it is marked. nullopt: about the
  /// middle of the view. `fit`, `setViewPreset` and other points forget it.
  void setCentreOfRotation(const std::optional<std::array<double, 3>>& centre);
  const std::optional<std::array<double, 3>>& centreOfRotation() const;
  /// Camera as numbers, to be saved with a session: position, focal point, up, parallel scale, and
  /// the centre of rotation if there is one.
  std::vector<double> cameraState() const;
  /// Restores what cameraState gave; false when it is not 10 or 13 finite numbers.
  bool setCameraState(const std::vector<double>& state);
  bool isFlat() const;

  /// True while the user moves the view: only what one frame has time for is drawn.
  void setInteracting(bool interacting);
  /// False draws all points in every frame (pictures). True at first.
  void setProgressive(bool progressive);
  /// How long a frame may draw points, where a million take as long; 30 at first (FrameBudget). At
  /// least kRootPoints are drawn, or with 0 about as many.
  void setFrameTime(double milliseconds);
  /// How many points a frame draws that starts anew, as all do while the view moves; no more than
  /// a block above it. 0 (at first): as many as its time allows.
  void setPointBudget(std::size_t points);
  /// Whether another frame would add points.
  bool moreToDraw() const;
  /// Fraction of the points of the blocks within the view that are drawn, in [0, 1].
  double drawnFraction() const;
  std::size_t drawnPoints() const;
  /// Forgets the picture: the next frame starts anew (after the GL context was lost
  /// or other code drew into the window).
  void restartFrame();
  /// The corner in which something of this size (device pixels) covers fewest points, as its lower
  /// left pixel; the top right one where all are equal. Never where legend and scale bar are.
  std::array<double, 2> freeCorner(double width, double height) const;
  /// The picture's pixels as of the last frame, for picking.
  ViewTransform viewTransform() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace clusterloom
