#include "render/scene/cloud_scene.h"

#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkCommand.h>
#include <vtkMath.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "render/paint/painted_item.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cell_highlights.h"
#include "render/scene/cell_overlay.h"
#include "render/scene/legend.h"
#include "render/scene/point_colours.h"
#include "render/scene/point_prop.h"
#include "render/scene/view_sample.h"
#include "render/scene/view_style.h"

namespace clusterloom {
namespace {

constexpr double kViewAngle = 30;
/// Height of flat cameras above the points; cells are 1 below them.
constexpr double kFlatHeight = 10;
/// Fraction of the background in the colour of the farthest points of a 3-D cloud.
constexpr double kFade = 0.45;
/// Opacity of the axes' grid over the points of a flat view, of 255.
constexpr int kGridOver = 110;
/// Logical pixels between the edges of the picture and what is put in a corner.
constexpr double kCornerMargin = 12;
/// Points that decide where the legend goes and how large points are drawn.
constexpr std::size_t kSampledPoints = 20000;
/// Half the height of the view as a fraction of the cloud's extent below which the axes are those
/// of the part looked at, and how much of the view that part's box takes.
constexpr double kSmallPart = 0.3;
constexpr double kBoxPart = 0.72;
/// The near plane of a 3-D view at the nearest, as a fraction of the camera's distance.
constexpr double kNearest = 0.02;
/// Logical pixels beside a legend that it takes from a flat view, too.
constexpr double kLegendMargins = 22;
/// A camera's position, focal point, view up and parallel scale.
constexpr std::size_t kCameraNumbers = 10;

// One of the two is seen on any colour, and no cluster has either.
constexpr Colour kMarkerEdge{0, 0, 0};
constexpr Colour kMarkerInside{255, 255, 255};

/// A small cross at a place of the display.
void paintCross(Painter& painter, const ViewTransform& view, const std::array<double, 3>& place) {
  double x = 0;
  double y = 0;
  if (!projectPlace(view, place, x, y)) return;
  const double arm = 7 * painter.ratio();
  for (const auto& [colour, width] : {std::pair{kMarkerEdge, 4.0}, std::pair{kMarkerInside, 1.5}}) {
    painter.line(x - arm, y, x + arm, y, colour, width);
    painter.line(x, y - arm, x, y + arm, colour, width);
  }
}

double automaticSize(std::size_t points) {
  if (points <= 3000) return 6;
  if (points <= 30000) return 4;
  if (points <= 200000) return 3;
  return points <= 1000000 ? 2 : 1.5;
}

struct Size {
  int width = 0;
  int height = 0;
  friend bool operator==(const Size&, const Size&) = default;
  bool empty() const { return width <= 0 || height <= 0; }
};

}  // namespace

struct CloudScene::Impl {
  // Three layers: what lies under the points, the points, what is written over them.
  vtkNew<vtkRenderer> under;
  vtkNew<vtkRenderer> middle;
  vtkNew<vtkRenderer> over;
  vtkNew<vtkCamera> camera;
  vtkNew<PointProp> points;
  vtkNew<PaintedItem> underItem;
  vtkNew<PaintedItem> overItem;
  vtkNew<TurnStyle> turnStyle;
  vtkNew<FlatStyle> flatStyle;
  vtkNew<vtkCallbackCommand> observer;
  vtkRenderWindow* window = nullptr;
  std::unique_ptr<CellOverlay> cellOverlay;

  std::shared_ptr<const CellBoxes> cells;
  CellColour cellColour = CellColour::Count;
  std::optional<std::size_t> cellMarker;
  std::shared_ptr<const CellHighlights> highlights;
  std::optional<std::uint32_t> marker;
  double markerRadius = 0;
  std::optional<ScalarLegend> legend;
  std::string caption;
  std::string subcaption;
  Background background = Background::Dark;
  std::optional<Colour> ground;
  double ratio = 1;
  double pointSize = 0;
  double opacity = 1;
  bool axesVisible = true;
  bool plainColours = true;  ///< colours were never set, and follow the background

  bool interacting = false;
  bool progressive = true;
  bool changed = true;               ///< something but the camera changed since the last frame
  bool fitWanted = true;             ///< as soon as the size is known
  std::vector<double> fittedCamera;  ///< where fit() left the camera: a resize then fits again
  Size fittedSize;
  std::vector<double> shownCamera;  ///< of the last frame
  Size shownSize;
  AxesLayout layout;
  bool measured = false;  ///< `ownSize` and `legendPlace` fit the picture
  double ownSize = 3;     ///< automatic diameter of points, logical pixels
  ViewSample sample;      ///< of the last measured view
  LegendPlace legendPlace = LegendPlace::Right;

  bool flat() const { return !points->points() || points->points()->space.axes < 3; }
  Theme theme() const {
    Theme theme = themeOf(background);
    if (ground) theme.ground = theme.groundLow = *ground;
    return theme;
  }
  const DisplaySpace* space() const {
    return points->points() ? &points->points()->space : nullptr;
  }
  Size size() const {
    if (window == nullptr) return {};
    const int* pixels = window->GetSize();
    return {pixels[0], pixels[1]};
  }
  double drawnPointSize() const { return (pointSize > 0 ? pointSize : ownSize) * ratio; }
  void measure(bool moved);
  DisplaySpace axesSpace() const;
  PixelBox legendArea() const {
    return {layout.leftBand, layout.bottomBand, static_cast<double>(size().width),
            static_cast<double>(size().height)};
  }

  void changedNow() { changed = true; }
  std::vector<double> cameraState() const;
  /// Height of the caption's lines in device pixels; 0 without one.
  double captionHeight() const {
    const int lines = (caption.empty() ? 0 : 20) + (subcaption.empty() ? 0 : 18);
    return lines == 0 ? 0 : (lines + 8) * ratio;
  }
  /// Width that flat views leave free for the legend, so that it covers no points.
  double legendWidth() const {
    if (!legend) return 0;
    const PixelBox box = legendBox(*legend, LegendPlace::Right, legendArea(), ratio);
    return std::min(box.x1 - box.x0 + kLegendMargins * ratio, 0.3 * size().width);
  }
  /// After the free space changed: fits again if the camera has not moved since fit().
  void keepFitted(bool wasFitted) {
    if (wasFitted) fitAll();
    changedNow();
  }
  bool isFitted() const { return cameraState() == fittedCamera; }
  void lookFrom(const std::array<double, 3>& direction, const std::array<double, 3>& up);
  void fitBox(const DisplayBox& box, double margin);
  void fitCorners(const DisplayBox& box, double margin);
  void fitAll();
  DisplayBox wholeBox() const;
  ViewTransform transform() const;
  void prepareFrame();
  void setClipping();
  void restyle();
  void recolourPlain();
  void paintUnder(Painter& painter) const;
  void paintOver(Painter& painter) const;
  void paintRulers(Painter& painter, const Size& pixels) const;
  void paintMarkers(Painter& painter) const;
  void paintCaption(Painter& painter, const Size& pixels) const;
  static void onEvent(vtkObject* caller, unsigned long event, void* self, void* data);
};

std::vector<double> CloudScene::Impl::cameraState() const {
  std::vector<double> state(kCameraNumbers);
  camera->GetPosition(state.data());
  camera->GetFocalPoint(state.data() + 3);
  camera->GetViewUp(state.data() + 6);
  state[9] = camera->GetParallelScale();
  return state;
}

DisplayBox CloudScene::Impl::wholeBox() const {
  DisplayBox box;
  const double* bounds = points->GetBounds();
  if (bounds == nullptr) return box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = bounds[2 * a];
    box.high[a] = bounds[2 * a + 1];
  }
  return box;
}

void CloudScene::Impl::lookFrom(const std::array<double, 3>& direction,
                                const std::array<double, 3>& up) {
  double focal[3];
  camera->GetFocalPoint(focal);
  const double distance = std::max(camera->GetDistance(), 1e-9);
  const double length = std::hypot(direction[0], direction[1], direction[2]);
  camera->SetPosition(focal[0] + direction[0] / length * distance,
                      focal[1] + direction[1] / length * distance,
                      focal[2] + direction[2] / length * distance);
  camera->SetViewUp(up.data());
}

void CloudScene::Impl::fitBox(const DisplayBox& box, double margin) {
  const Size pixels = size();
  if (pixels.empty()) return;
  std::array<double, 3> centre{};
  std::array<double, 3> extent{};
  for (std::size_t a = 0; a < 3; ++a) {
    centre[a] = (box.low[a] + box.high[a]) / 2;
    extent[a] = box.high[a] - box.low[a];
  }
  const double largest = std::max({extent[0], extent[1], extent[2]});
  // One point, or points at one place: show some space around.
  const double least = largest > 0 ? 1e-9 : 0.5;
  if (flat()) {
    const double left = axesVisible && space() != nullptr
                            ? leftRulerWidth(*space(), space()->toValue(1, box.low[1]),
                                             space()->toValue(1, box.high[1]), ratio)
                            : 0;
    const double bottom = axesVisible ? kBottomRuler * ratio : 0;
    const double right = legendWidth();
    const double width = std::max(pixels.width - left - right, 1.0) * margin;
    const double top = captionHeight();
    const double height = std::max(pixels.height - bottom - top, 1.0) * margin;
    const double perUnit = std::min(width / std::max(extent[0], least),
                                    height / std::max({extent[1], least, largest * 1e-3}));
    // The middle of what is left of the window by the rulers, not of the window.
    const double x = centre[0] - (left - right) / 2 / perUnit;
    const double y = centre[1] - (bottom - top) / 2 / perUnit;
    camera->ParallelProjectionOn();
    camera->SetFocalPoint(x, y, 0);
    camera->SetPosition(x, y, kFlatHeight);
    camera->SetViewUp(0, 1, 0);
    camera->SetParallelScale(pixels.height / 2.0 / perUnit);
    return;
  }
  fitCorners(box, margin);
}

void CloudScene::Impl::fitCorners(const DisplayBox& box, double margin) {
  const Size pixels = size();
  camera->ParallelProjectionOff();
  camera->SetViewAngle(kViewAngle);
  double forward[3];
  double up[3];
  camera->GetDirectionOfProjection(forward);
  camera->GetViewUp(up);
  double right[3];
  vtkMath::Cross(forward, up, right);
  vtkMath::Normalize(right);
  vtkMath::Cross(right, forward, up);
  // The space for the box: what the numbers around it leave of the window.
  const double edge =
      axesVisible ? std::min(52 * ratio, 0.13 * std::min(pixels.width, pixels.height)) : 0;
  const double top = captionHeight();
  const double half = std::tan(kViewAngle / 2 * std::numbers::pi / 180);
  const double perPixel =
      half / (pixels.height / 2.0);  // slope of the ray one pixel off the middle
  const double spaceX = (pixels.width - 2 * edge) / 2 * perPixel * margin;
  const double spaceY =
      std::max(pixels.height - 2 * edge - top, pixels.height * 0.3) / 2 * perPixel * margin;

  std::array<double, 3> centre{};
  double size3 = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    centre[a] = (box.low[a] + box.high[a]) / 2;
    size3 = std::max(size3, box.high[a] - box.low[a]);
  }
  const double least =
      size3 > 0 ? size3 * 1e-3 : 0.25;  // a single point still needs a visible surrounding
  double distance = least;
  // The middle of the picture of the box is not the picture of its middle: move and measure again.
  for (int round = 0; round < 12; ++round) {
    double low[2] = {1e300, 1e300};
    double high[2] = {-1e300, -1e300};
    distance = least;
    for (const bool measuring : {true, false}) {
      for (unsigned c = 0; c < 8; ++c) {
        double at[3] = {0, 0, 0};  // right, up, towards the viewer, from the centre
        for (std::size_t a = 0; a < 3; ++a) {
          const double half3 = std::max(box.high[a] - box.low[a], least) / 2;
          const double offset =
              (box.low[a] + box.high[a]) / 2 + ((c >> a & 1U) != 0 ? half3 : -half3) - centre[a];
          at[0] += right[a] * offset;
          at[1] += up[a] * offset;
          at[2] -= forward[a] * offset;
        }
        if (measuring) {
          distance = std::max(
              {distance, at[2] + std::abs(at[0]) / spaceX, at[2] + std::abs(at[1]) / spaceY});
          continue;
        }
        for (std::size_t i = 0; i < 2; ++i) {
          const double slope = at[i] / (distance - at[2]);
          low[i] = std::min(low[i], slope);
          high[i] = std::max(high[i], slope);
        }
      }
    }
    for (std::size_t a = 0; a < 3; ++a)
      centre[a] += distance * (right[a] * (low[0] + high[0]) + up[a] * (low[1] + high[1])) / 2;
  }
  // Captions take space at the top.
  for (std::size_t a = 0; a < 3; ++a) centre[a] += up[a] * distance * perPixel * top / 2;
  camera->SetFocalPoint(centre.data());
  camera->SetPosition(centre[0] - forward[0] * distance, centre[1] - forward[1] * distance,
                      centre[2] - forward[2] * distance);
}

void CloudScene::Impl::fitAll() {
  if (size().empty()) {
    fitWanted = true;
    return;
  }
  fitWanted = false;
  fitBox(wholeBox(), flat() ? 0.94 : 0.98);
  fittedCamera = cameraState();
  fittedSize = size();
}

ViewTransform CloudScene::Impl::transform() const {
  ViewTransform view;
  const Size pixels = size();
  if (pixels.empty()) return view;
  view.width = pixels.width;
  view.height = pixels.height;
  view.flat = flat();
  const double aspect = static_cast<double>(pixels.width) / pixels.height;
  const vtkMatrix4x4* matrix = camera->GetCompositeProjectionTransformMatrix(aspect, -1, 1);
  for (std::size_t i = 0; i < 16; ++i)
    view.worldToClip[i] = matrix->GetElement(static_cast<int>(i / 4), static_cast<int>(i % 4));
  return view;
}

void CloudScene::Impl::setClipping() {
  if (flat()) {
    camera->SetClippingRange(kFlatHeight - 2, kFlatHeight + 2);
    return;
  }
  // Not VTK's own range: its near plane is a fraction of the far one, which cuts off what is near
  // when a small part of a cloud is looked at.
  const DisplayBox box = wholeBox();
  double position[3];
  double forward[3];
  camera->GetPosition(position);
  camera->GetDirectionOfProjection(forward);
  double nearest = std::numeric_limits<double>::infinity();
  double farthest = 0;
  for (unsigned c = 0; c < 8; ++c) {
    double depth = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      // A margin for cells that stand out of the cloud, and for clouds without depth.
      const double place = (c >> a & 1U) != 0 ? box.high[a] + 0.3 : box.low[a] - 0.3;
      depth += forward[a] * (place - position[a]);
    }
    nearest = std::min(nearest, depth);
    farthest = std::max(farthest, depth);
  }
  const double least = kNearest * camera->GetDistance();
  camera->SetClippingRange(std::max(nearest, least), std::max(farthest, 2 * least));
}

void CloudScene::Impl::prepareFrame() {
  const Size pixels = size();
  if (pixels.empty()) return;
  if (fitWanted || (!(pixels == fittedSize) && isFitted())) fitAll();
  const std::vector<double> state = cameraState();
  const std::size_t slices = points->slices();
  measure(changed || state != shownCamera || !(pixels == shownSize));
  const bool restart = changed || state != shownCamera || !(pixels == shownSize) || slices <= 1 ||
                       !points->holds(pixels.width, pixels.height);
  changed = false;
  shownCamera = state;
  shownSize = pixels;
  setClipping();

  PointLook look;
  look.size = static_cast<float>(drawnPointSize());
  look.flat = flat();
  look.ground = theme().ground;
  if (!look.flat) {
    const DisplayBox box = wholeBox();
    const double radius =
        std::hypot(box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]) /
        2;
    look.fade = static_cast<float>(kFade);
    look.nearest = static_cast<float>(camera->GetDistance() - radius);
    look.farthest = static_cast<float>(camera->GetDistance() + std::max(radius, 1e-6));
  }
  look.opacity = static_cast<float>(opacity);
  points->setLook(look);
  if (flat()) cellOverlay->setPixelsPerUnit(pixels.height / (2 * camera->GetParallelScale()));
  if (!progressive)
    points->planFrame(restart, slices);
  else if (restart)
    points->planFrame(true, 1);
  else
    points->planFrame(false, points->drawnSlices() + (interacting ? 0 : 1));
  under->SetDraw(restart);

  layout = {};
  if (space() != nullptr && axesVisible)
    layout = flat() ? layOutRulers(*space(), transform(), ratio)
                    : layOutBox(axesSpace(), transform(), ratio);
  if (legend && !interacting)
    legendPlace = leastCovered(*legend, sample.pixels, legendArea(), ratio, legendPlace);
}

// Fewer points in the picture may be drawn larger. While the view moves nothing changes size.
void CloudScene::Impl::measure(bool moved) {
  if (moved) measured = false;
  if (measured || interacting || !points->points()) return;
  measured = true;
  sample = sampleView(*points->points(), points->colours(), transform(), kSampledPoints);
  const auto n = static_cast<double>(points->points()->size());
  const double size = automaticSize(static_cast<std::size_t>(std::ceil(n * sample.shown)));
  if (std::exchange(ownSize, size) != size && pointSize <= 0) changedNow();
}

// The axes of a 3-D view that looks at a small part of the cloud are those of a box around what it
// looks at: the cloud's own box would be out of the picture.
DisplaySpace CloudScene::Impl::axesSpace() const {
  DisplaySpace shown = *space();
  const DisplayBox box = wholeBox();
  double largest = 0;
  for (std::size_t a = 0; a < 3; ++a) largest = std::max(largest, box.high[a] - box.low[a]);
  const double half = std::tan(kViewAngle / 2 * std::numbers::pi / 180) * camera->GetDistance();
  if (half > kSmallPart * largest) return shown;
  double focal[3];
  camera->GetFocalPoint(focal);
  for (std::size_t a = 0; a < 3; ++a) {
    const double low = std::max(box.low[a], focal[a] - kBoxPart * half);
    const double high = std::min(box.high[a], focal[a] + kBoxPart * half);
    // Beside the cloud, or flat along this axis.
    if (low > high) return *space();
    shown.low[a] = shown.toValue(static_cast<int>(a), low);
    shown.high[a] = shown.toValue(static_cast<int>(a), high);
  }
  return shown;
}

void CloudScene::Impl::restyle() {
  const Theme t = theme();
  const auto unit = [](std::uint8_t channel) { return channel / 255.0; };
  const Colour low = flat() ? t.ground : t.groundLow;
  under->SetBackground(unit(low.r), unit(low.g), unit(low.b));
  under->SetBackground2(unit(t.ground.r), unit(t.ground.g), unit(t.ground.b));
  under->SetGradientBackground(true);
  underItem->ratio = overItem->ratio = ratio;
  cellOverlay->setLineWidth(ratio);
  changedNow();
}

void CloudScene::Impl::recolourPlain() {
  if (!plainColours || !points->points()) return;
  ColourRequest request;
  request.background = background;
  points->setColours(colourPoints(request, points->points()->order));
}

void CloudScene::Impl::paintUnder(Painter& painter) const {
  const Theme t = theme();
  for (const Segment& s : layout.grid) painter.line(s.x0, s.y0, s.x1, s.y1, t.faintLine);
  for (const Segment& s : layout.edges) painter.line(s.x0, s.y0, s.x1, s.y1, t.line);
}

void CloudScene::Impl::paintRulers(Painter& painter, const Size& pixels) const {
  const Theme t = theme();
  if (!axesVisible || space() == nullptr || !flat()) return;
  painter.rectangle(0, 0, pixels.width, layout.bottomBand, t.ground);
  painter.rectangle(0, layout.bottomBand, layout.leftBand, pixels.height - layout.bottomBand,
                    t.ground);
  painter.line(layout.leftBand, layout.bottomBand, pixels.width, layout.bottomBand, t.line);
  if (layout.leftBand > 0)
    painter.line(layout.leftBand, layout.bottomBand, layout.leftBand, pixels.height, t.line);
}

void CloudScene::Impl::paintMarkers(Painter& painter) const {
  const Theme t = theme();
  const ViewTransform view = transform();
  if (highlights && space() != nullptr) paintHighlights(painter, *highlights, *space(), view, t);
  if (cellMarker && cells && space() != nullptr && *cellMarker < cells->size() &&
      cells->axes == space()->axes) {
    const auto corners = cornersOf(*cells, *cellMarker, *space());
    const bool plane = cells->axes < 3;
    for (std::size_t c = 0; c < (plane ? 4U : 8U); ++c) {
      for (std::size_t a = 0; a < (plane ? 2U : 3U); ++a) {
        if ((c >> a & 1U) != 0) continue;
        double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
        if (projectPlace(view, corners[c], x0, y0) &&
            projectPlace(view, corners[c | std::size_t{1} << a], x1, y1))
          painter.line(x0, y0, x1, y1, t.accent, 2);
      }
    }
  }
  if (const auto& centre = turnStyle->centre; centre && !flat()) paintCross(painter, view, *centre);
  if (!marker || !points->points() || *marker >= points->points()->size()) return;
  const float* xyz = points->points()->xyz.data() + 3 * static_cast<std::size_t>(*marker);
  const std::array<double, 3> place{static_cast<double>(xyz[0]), static_cast<double>(xyz[1]),
                                    static_cast<double>(xyz[2])};
  double x = 0;
  double y = 0;
  if (!projectPlace(view, place, x, y)) return;
  const double ring = drawnPointSize() / 2 + 4 * painter.ratio();
  painter.circle(x, y, ring, kMarkerEdge, 5);
  painter.circle(x, y, ring, kMarkerInside, 2);
  if (markerRadius <= 0) return;
  // Seen from far enough a sphere's outline is a circle as wide as the sphere.
  double right[3];
  vtkMath::Cross(camera->GetDirectionOfProjection(), camera->GetViewUp(), right);
  vtkMath::Normalize(right);
  std::array<double, 3> edge = place;
  for (std::size_t a = 0; a < 3; ++a) edge[a] += right[a] * markerRadius * space()->scale[a];
  double edgeX = 0;
  double edgeY = 0;
  if (projectPlace(view, edge, edgeX, edgeY))
    painter.circle(x, y, std::hypot(edgeX - x, edgeY - y), t.accent, 1.5);
}

void CloudScene::Impl::paintCaption(Painter& painter, const Size& pixels) const {
  if (caption.empty() && subcaption.empty()) return;
  const Theme t = theme();
  const double r = painter.ratio();
  const double left = layout.leftBand + 12 * r;
  const double top = pixels.height - 10 * r;
  const double width =
      std::max(painter.widthOf(caption, 14, true), painter.widthOf(subcaption, 12)) + 16 * r;
  const double height = captionHeight();
  painter.rectangle(left - 8 * r, top - height + 4 * r, width, height, t.ground, 235);
  double y = top;
  if (!caption.empty()) {
    painter.text(caption, left, y, Across::Left, Along::Top, t.text, 14, true);
    y -= 20 * r;
  }
  painter.text(subcaption, left, y, Across::Left, Along::Top, t.faintText, 12);
}

void CloudScene::Impl::paintOver(Painter& painter) const {
  const Size pixels = size();
  const Theme t = theme();
  if (flat())
    for (const Segment& s : layout.grid)
      painter.line(s.x0, s.y0, s.x1, s.y1, t.faintLine, 1, kGridOver);
  paintMarkers(painter);
  paintRulers(painter, pixels);
  for (const Segment& s : layout.ticks) painter.line(s.x0, s.y0, s.x1, s.y1, t.line);
  for (const PlacedText& text : layout.texts) {
    const Colour colour = text.title ? t.text : t.faintText;
    if (text.upwards)
      painter.textUpwards(text.words, text.x, text.y, text.across, text.along, colour, text.size);
    else
      painter.text(text.words, text.x, text.y, text.across, text.along, colour, text.size);
  }
  if (legend)
    paintLegend(painter, *legend, legendBox(*legend, legendPlace, legendArea(), painter.ratio()),
                t);
  paintCaption(painter, pixels);
}

void CloudScene::Impl::onEvent(vtkObject* /*caller*/, unsigned long event, void* self,
                               void* /*data*/) {
  auto* impl = static_cast<Impl*>(self);
  switch (event) {
    case vtkCommand::StartEvent:
      impl->prepareFrame();
      break;
    case vtkCommand::StartInteractionEvent:
      impl->interacting = true;
      break;
    case vtkCommand::EndInteractionEvent:
      impl->interacting = false;
      break;
    case vtkCommand::DeleteEvent:
      impl->window = nullptr;
      break;
    default:
      break;
  }
}

CloudScene::CloudScene() : impl_(std::make_unique<Impl>()) {
  Impl& s = *impl_;
  s.observer->SetClientData(impl_.get());
  s.observer->SetCallback(&Impl::onEvent);
  for (vtkRenderer* renderer : {s.under.Get(), s.middle.Get(), s.over.Get()})
    renderer->SetActiveCamera(s.camera);
  s.under->InteractiveOff();
  s.over->InteractiveOff();
  s.middle->AddViewProp(s.points);
  s.cellOverlay = std::make_unique<CellOverlay>(s.under, s.over);
  s.underItem->paint = [&s](Painter& painter) { s.paintUnder(painter); };
  s.overItem->paint = [&s](Painter& painter) { s.paintOver(painter); };
  s.underItem->addTo(s.under);
  s.overItem->addTo(s.over);
  for (vtkInteractorStyle* style : {static_cast<vtkInteractorStyle*>(s.turnStyle),
                                    static_cast<vtkInteractorStyle*>(s.flatStyle)}) {
    style->AddObserver(vtkCommand::StartInteractionEvent, s.observer);
    style->AddObserver(vtkCommand::EndInteractionEvent, s.observer);
  }
  s.lookFrom({1, -1.6, 0.9}, {0, 0, 1});
  s.restyle();
}

CloudScene::~CloudScene() { detach(); }

void CloudScene::attach(vtkRenderWindow* window) {
  detach();
  Impl& s = *impl_;
  s.window = window;
  window->SetNumberOfLayers(std::max(window->GetNumberOfLayers(), 3));
  int layer = 0;
  for (vtkRenderer* renderer : {s.under.Get(), s.middle.Get(), s.over.Get()}) {
    renderer->SetLayer(layer++);
    window->AddRenderer(renderer);
  }
  // Each layer continues from what those below it drew, including depth.
  s.middle->SetPreserveDepthBuffer(1);
  s.over->SetPreserveDepthBuffer(1);
  window->AddObserver(vtkCommand::StartEvent, s.observer);
  window->AddObserver(vtkCommand::DeleteEvent, s.observer);
  s.changedNow();
}

void CloudScene::detach() {
  Impl& s = *impl_;
  if (s.window == nullptr) return;
  s.window->RemoveObserver(s.observer);
  for (vtkRenderer* renderer : {s.under.Get(), s.middle.Get(), s.over.Get()})
    s.window->RemoveRenderer(renderer);
  s.window = nullptr;
}

vtkRenderer* CloudScene::renderer() const { return impl_->middle; }

vtkInteractorObserver* CloudScene::interactorStyle() const {
  if (impl_->flat()) return impl_->flatStyle;
  return impl_->turnStyle;
}

void CloudScene::setPoints(std::shared_ptr<const DisplayPoints> points) {
  Impl& s = *impl_;
  const bool wasFlat = s.flat();
  const auto before = s.points->points();
  const bool sameView =
      before && points && before->space.axes == points->space.axes &&
      before->space.kind == points->space.kind && before->space.dims == points->space.dims &&
      before->space.shift == points->space.shift && before->space.scale == points->space.scale;
  s.points->setPoints(std::move(points));
  s.plainColours = true;
  s.recolourPlain();
  s.marker.reset();
  s.cellMarker.reset();
  s.highlights.reset();
  if (!sameView) {
    setCells(nullptr, s.cellColour);
    s.turnStyle->centre.reset();
    if (wasFlat && !s.flat()) s.lookFrom({1, -1.6, 0.9}, {0, 0, 1});
    s.fitAll();
  }
  s.restyle();
}

const std::shared_ptr<const DisplayPoints>& CloudScene::points() const {
  return impl_->points->points();
}

void CloudScene::setColours(std::vector<std::uint8_t> colours) {
  Impl& s = *impl_;
  if (!s.points->points() || colours.size() != 4 * s.points->points()->size()) return;
  s.plainColours = false;
  s.points->setColours(std::move(colours));
  s.changedNow();
}

const std::vector<std::uint8_t>& CloudScene::colours() const { return impl_->points->colours(); }

void CloudScene::setPointSize(double size) {
  impl_->pointSize = size > 0 ? std::clamp(size, 1.0, 20.0) : 0;
  impl_->changedNow();
}

void CloudScene::setPointOpacity(double opacity) {
  impl_->opacity = std::clamp(opacity, 0.02, 1.0);
  impl_->changedNow();
}

void CloudScene::setBackground(Background background) {
  impl_->background = background;
  impl_->recolourPlain();
  impl_->restyle();
}

void CloudScene::setGround(const std::optional<Colour>& ground) {
  impl_->ground = ground;
  impl_->restyle();
}

Background CloudScene::background() const { return impl_->background; }

void CloudScene::setPixelRatio(double ratio) {
  impl_->ratio = std::clamp(ratio, 0.5, 8.0);
  impl_->restyle();
}

void CloudScene::setAxesVisible(bool visible) {
  const bool wasFitted = impl_->isFitted();
  impl_->axesVisible = visible;
  impl_->keepFitted(wasFitted);
}

void CloudScene::setCaption(const std::string& text) { impl_->caption = text; }
void CloudScene::setSubcaption(const std::string& text) { impl_->subcaption = text; }
void CloudScene::setLegend(const std::optional<ScalarLegend>& legend) {
  const bool wasFitted = impl_->isFitted() && legend.has_value() != impl_->legend.has_value();
  impl_->legend = legend;
  if (wasFitted) impl_->fitAll();
}
const std::optional<ScalarLegend>& CloudScene::legend() const { return impl_->legend; }
void CloudScene::setMarker(std::optional<std::uint32_t> drawn) { impl_->marker = drawn; }
void CloudScene::setMarkerRadius(double eps) { impl_->markerRadius = eps; }

std::string CloudScene::setCells(std::shared_ptr<const CellBoxes> cells, CellColour by) {
  Impl& s = *impl_;
  s.cells = std::move(cells);
  s.cellColour = by;
  if (s.cellMarker && (!s.cells || *s.cellMarker >= s.cells->size())) s.cellMarker.reset();
  s.changedNow();
  const DisplaySpace none;
  return s.cellOverlay->show(s.cells.get(), s.space() != nullptr ? *s.space() : none, by,
                             kMostCells);
}

void CloudScene::setCellMarker(std::optional<std::size_t> cell) { impl_->cellMarker = cell; }

void CloudScene::setHighlights(std::shared_ptr<const CellHighlights> highlights) {
  impl_->highlights = std::move(highlights);
}

std::optional<ScalarScale> CloudScene::cellScale() const { return impl_->cellOverlay->scale(); }

void CloudScene::fit() {
  impl_->turnStyle->centre.reset();
  impl_->fitAll();
}

bool CloudScene::isFitted() const { return impl_->isFitted(); }

void CloudScene::setCentreOfRotation(const std::optional<std::array<double, 3>>& centre) {
  impl_->turnStyle->centre = centre;
}

const std::optional<std::array<double, 3>>& CloudScene::centreOfRotation() const {
  return impl_->turnStyle->centre;
}

void CloudScene::zoomTo(const DisplayBox& box) {
  impl_->fitWanted = false;
  impl_->fitBox(box, 0.8);
}

void CloudScene::setViewPreset(ViewPreset preset) {
  Impl& s = *impl_;
  s.turnStyle->centre.reset();
  if (!s.flat()) {
    switch (preset) {
      case ViewPreset::Front:
        s.lookFrom({0, -1, 0}, {0, 0, 1});
        break;
      case ViewPreset::Back:
        s.lookFrom({0, 1, 0}, {0, 0, 1});
        break;
      case ViewPreset::Left:
        s.lookFrom({-1, 0, 0}, {0, 0, 1});
        break;
      case ViewPreset::Right:
        s.lookFrom({1, 0, 0}, {0, 0, 1});
        break;
      case ViewPreset::Top:
        s.lookFrom({0, 0, 1}, {0, 1, 0});
        break;
      case ViewPreset::Bottom:
        s.lookFrom({0, 0, -1}, {0, 1, 0});
        break;
      case ViewPreset::Corner:
        s.lookFrom({1, -1.6, 0.9}, {0, 0, 1});
        break;
    }
  }
  s.fitAll();
}

void CloudScene::zoomBy(double factor) {
  if (!(factor > 0)) return;
  vtkCamera* camera = impl_->camera;
  if (impl_->flat())
    camera->SetParallelScale(camera->GetParallelScale() / factor);
  else
    camera->Dolly(factor);
}

void CloudScene::turnBy(double right, double up) {
  vtkCamera* camera = impl_->camera;
  if (!impl_->flat()) {
    turnCamera(camera, right, up, impl_->turnStyle->centre);
    return;
  }
  const double view = 2 * camera->GetParallelScale() / 90;
  double focal[3];
  camera->GetFocalPoint(focal);
  camera->SetFocalPoint(focal[0] + right * view, focal[1] + up * view, 0);
  camera->SetPosition(focal[0] + right * view, focal[1] + up * view, kFlatHeight);
}

std::vector<double> CloudScene::cameraState() const {
  std::vector<double> state = impl_->cameraState();
  if (const auto& centre = impl_->turnStyle->centre)
    state.insert(state.end(), centre->begin(), centre->end());
  return state;
}

bool CloudScene::setCameraState(const std::vector<double>& state) {
  if ((state.size() != kCameraNumbers && state.size() != kCameraNumbers + 3) ||
      !std::all_of(state.begin(), state.end(), [](double v) { return std::isfinite(v); }))
    return false;
  Impl& s = *impl_;
  s.fitWanted = false;
  s.camera->SetParallelProjection(s.flat());
  s.camera->SetViewAngle(kViewAngle);
  s.camera->SetPosition(state.data());
  s.camera->SetFocalPoint(state.data() + 3);
  s.camera->SetViewUp(state.data() + 6);
  s.camera->SetParallelScale(state[9]);
  s.turnStyle->centre.reset();
  if (state.size() > kCameraNumbers) s.turnStyle->centre = {state[10], state[11], state[12]};
  return true;
}

bool CloudScene::isFlat() const { return impl_->flat(); }

void CloudScene::setInteracting(bool interacting) { impl_->interacting = interacting; }
void CloudScene::setProgressive(bool progressive) { impl_->progressive = progressive; }

bool CloudScene::moreToDraw() const {
  if (impl_->interacting) return false;
  return impl_->points->drawnSlices() < impl_->points->slices();
}

double CloudScene::drawnFraction() const {
  const std::size_t slices = impl_->points->slices();
  return slices == 0
             ? 1
             : static_cast<double>(impl_->points->drawnSlices()) / static_cast<double>(slices);
}

void CloudScene::restartFrame() { impl_->changedNow(); }

std::array<double, 2> CloudScene::freeCorner(double width, double height) const {
  const Impl& s = *impl_;
  const PixelBox area = s.legendArea();
  std::optional<PixelBox> best;
  std::size_t fewest = 0;
  for (const LegendPlace place : {LegendPlace::TopRight, LegendPlace::BottomRight,
                                  LegendPlace::TopLeft, LegendPlace::BottomLeft}) {
    const PixelBox box = boxAt(place, width, height, area, kCornerMargin * s.ratio);
    if (s.legend && box.overlaps(legendBox(*s.legend, s.legendPlace, area, s.ratio))) continue;
    const std::size_t points = pointsWithin(box, s.sample.pixels);
    if (best && points >= fewest) continue;
    best = box;
    fewest = points;
  }
  const PixelBox box =
      best.value_or(boxAt(LegendPlace::TopRight, width, height, area, kCornerMargin * s.ratio));
  return {box.x0, box.y0};
}

ViewTransform CloudScene::viewTransform() const { return impl_->transform(); }

}  // namespace clusterloom
