// How a scene is drawn: what each frame adds, and what is painted under and over the points.
#include <vtkMath.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "render/scene/cell_overlay.h"
#include "render/scene/cloud_scene_impl.h"
#include "render/scene/paint_axes.h"
#include "render/scene/point_levels.h"
#include "render/scene/scene_camera.h"

namespace clusterloom {
namespace {

/// Fraction of the background in the colour of the farthest points of a 3-D cloud.
constexpr double kFade = 0.45;
/// Strength of the shading by depth at full relief.
constexpr double kFullRelief = 90;
/// Logical pixels between the edges of the picture and what is put in a corner.
constexpr double kCornerMargin = 12;
/// Logical pixels: what a diamond needs to be told from a dot.
constexpr double kSmallestDiamond = 8;
/// Pixels around a point that may be coloured.
constexpr double kRim = 2;
/// Points that decide where the legend goes and how large points are drawn.
constexpr std::size_t kSampledPoints = 20000;
/// Edge and inside of a mark: one of the two is visible on any colour.
constexpr Colour kEdge{0, 0, 0};
constexpr Colour kInside{255, 255, 255};

double automaticSize(std::size_t points) {
  if (points <= 3000) return 6;
  if (points <= 30000) return 4;
  if (points <= 200000) return 3;
  return points <= 1000000 ? 2 : 1.5;
}

std::array<double, 3> placeOf(const DisplayPoints& points, std::uint32_t drawn) {
  const float* xyz = points.xyz.data() + 3 * std::size_t(drawn);
  return {double(xyz[0]), double(xyz[1]), double(xyz[2])};
}

// Marks over a scene. Positions are in display coordinates; what is behind the viewer is not
// painted.

/// A small cross: the centre of rotation.
void paintCross(Painter& painter, const ViewTransform& view, const std::array<double, 3>& at) {
  double x = 0;
  double y = 0;
  if (!projectPlace(view, at, x, y)) return;
  const double arm = 7 * painter.ratio();
  for (const auto& [colour, width] : {std::pair{kEdge, 4.0}, std::pair{kInside, 1.5}}) {
    painter.line(x - arm, y, x + arm, y, colour, width);
    painter.line(x, y - arm, x, y + arm, colour, width);
  }
}

/// A ring of this radius (device pixels) around a point, in black and white, which no cluster has.
void paintRing(Painter& painter, const ViewTransform& view, const std::array<double, 3>& at,
               double radius) {
  double x = 0;
  double y = 0;
  if (!projectPlace(view, at, x, y)) return;
  painter.circle(x, y, radius, kEdge, 5);
  painter.circle(x, y, radius, kInside, 2);
}

/// A circle around a point that passes through `edge`.
void paintCircleThrough(Painter& painter, const ViewTransform& view,
                        const std::array<double, 3>& at, const std::array<double, 3>& edge,
                        Colour colour) {
  double x = 0;
  double y = 0;
  double edgeX = 0;
  double edgeY = 0;
  if (projectPlace(view, at, x, y) && projectPlace(view, edge, edgeX, edgeY))
    painter.circle(x, y, std::hypot(edgeX - x, edgeY - y), colour, 1.5);
}

/// The outline of one cell.
void paintCellOutline(Painter& painter, const ViewTransform& view, const DisplaySpace& space,
                      const CellBoxes& cells, std::size_t cell, Colour colour) {
  if (cell >= cells.size() || cells.axes != space.axes) return;
  const auto corners = cornersOf(cells, cell, space);
  const bool plane = cells.axes < 3;
  for (std::size_t c = 0; c < (plane ? 4U : 8U); ++c) {
    for (std::size_t a = 0; a < (plane ? 2U : 3U); ++a) {
      if ((c >> a & 1U) != 0) continue;
      double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
      if (projectPlace(view, corners[c], x0, y0) &&
          projectPlace(view, corners[c | std::size_t{1} << a], x1, y1))
        painter.line(x0, y0, x1, y1, colour, 2);
    }
  }
}

}  // namespace

Theme CloudScene::Impl::theme() const {
  Theme theme = themeOf(background);
  if (ground) theme.ground = theme.groundLow = *ground;
  return theme;
}

void CloudScene::Impl::prepareFrame() {
  const Size pixels = size();
  if (pixels.empty()) return;
  colourPlain();
  if (fitWanted || (!(pixels == fittedSize) && isFitted())) fitAll();
  setClipping(*camera, wholeBox(), flat());  // may move the camera
  const std::vector<double> state = cameraNumbers(*camera);
  const bool moved = state != shownCamera || !(pixels == shownSize);
  measure(changed || moved);
  const bool restart = changed || moved || !canContinue(pixels);
  changed = false;
  shownCamera = state;
  shownSize = pixels;
  PointLook dots = look();
  stored->setLook(dots);
  // What is shaded is the picture of the prop that is drawn last.
  if (stored->points() && !(storedPlanned && stored->blocks() == 0)) dots.relief = 0;
  points->setLook(dots);
  added->setLook(addedLook());
  if (flat()) cellOverlay->setPixelsPerUnit(pixels.height / (2 * camera->GetParallelScale()));
  planPoints(restart);
  under->SetDraw(restart);
  layOut();
}

// By the picture that is kept of the prop that is drawn last.
bool CloudScene::Impl::canContinue(const Size& pixels) const {
  const bool isAdded = added->blocks() > 1 && points->isComplete() && isStoredComplete();
  const bool isStored = !isAdded && stored->drawnPoints() > 0;
  const PointProp& last = isAdded ? *added : isStored ? *stored : *points;
  return (last.blocks() > 1 || stored->points()) && last.holds(pixels.width, pixels.height);
}

bool CloudScene::Impl::isStoredComplete() const {
  return !stored->points() || (storedPlanned && (stored->blocks() == 0 || stored->isComplete()));
}

double CloudScene::Impl::pointsForOne() const {
  if (!storedPoints || !points->points() || points->points()->size() == 0) return 1;
  return std::max(
      1.0, double(storedShown.value_or(storedPoints->size())) / double(points->points()->size()));
}

PointLook CloudScene::Impl::look() const {
  PointLook look;
  look.size = float(drawnPointSize());
  look.flat = flat();
  look.ground = theme().ground;
  look.opacity = float(opacity);
  if (flat() && densityBlended) look.blended = float(ownOpacity);
  look.noise = float(noise);
  if (look.flat) return look;
  const DisplayBox box = shownBox();
  const double radius =
      std::hypot(box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]) / 2;
  look.fade = float(kFade);
  if (opacity >= 1) look.relief = float(kFullRelief * relief);
  look.pixel = float(ratio);
  look.nearest = float(camera->GetDistance() - radius);
  look.farthest = float(camera->GetDistance() + std::max(radius, 1e-6));
  return look;
}

PointLook CloudScene::Impl::addedLook() const {
  PointLook diamond = look();
  diamond.shape = PointShape::Diamond;
  diamond.size = std::max(2 * diamond.size, float(kSmallestDiamond * ratio));
  diamond.opacity = diamond.blended = 1;
  diamond.noise = 1;  // few points, chosen to be seen
  diamond.relief = 0;
  diamond.outline = theme().text;
  return diamond;
}

void CloudScene::Impl::planPoints(bool restart) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  for (const PointProp* prop : {points.Get(), stored.Get()})
    budget.adapt(prop->lastDrawn(), frameMs);
  if (restart)
    for (PointProp* prop : {points.Get(), added.Get()})
      if (prop->points())
        prop->setVisible(
            visibleBlocks(*prop->points(), transform(), double(addedLook().size) / 2 + kRim));
  const std::size_t first = pointBudget > 0 ? pointBudget : budget.points();
  const std::size_t further = interacting ? 0 : budget.points();
  points->planFrame(restart, !progressive ? kAll : restart ? first : further);
  planStored(restart, progressive ? further : kAll);
  // Added points are drawn over the others: their first block in every frame, the next ones when
  // the others are complete.
  if (!progressive || restart || !points->isComplete() || !isStoredComplete())
    added->planFrame(true, progressive ? 1 : kAll);
  else
    added->planFrame(false, further);
}

// After the points in memory, and not while the view moves: choosing among all blocks takes long.
void CloudScene::Impl::planStored(bool restart, std::size_t further) {
  if (!stored->points()) return;
  if (restart) {
    stored->setVisible({});
    storedPlanned = false;
  }
  if (progressive && (restart || interacting || !points->isComplete()))
    return stored->planFrame(true, 0);
  if (!std::exchange(storedPlanned, true)) {
    const auto& blocks = stored->points()->blocks;
    std::vector<std::uint32_t> nearest =
        visibleBlocks(*stored->points(), transform(), look().size / 2 + kRim);
    std::size_t some = 0;
    std::size_t kept = 0;
    while (kept < nearest.size() && some + blocks[nearest[kept]].count <= kMostStored)
      some += blocks[nearest[kept++]].count;
    nearest.resize(kept);
    stored->setVisible(std::move(nearest));
  }
  stored->planFrame(stored->drawnPoints() == 0, further);
}

void CloudScene::Impl::layOut() {
  layout = {};
  if (space() != nullptr && axesVisible)
    layout = flat() ? layOutRulers(*space(), transform(), ratio)
                    : layOutBox(axesSpaceOf(*camera, *space(), shownBox()), transform(), ratio);
  if (legend && !interacting)
    legendPlace = leastCovered(*legend, sample.pixels, legendArea(), ratio, legendPlace);
}

// Fewer points in the picture may be drawn larger. While the view moves nothing changes size.
void CloudScene::Impl::measure(bool moved) {
  if (moved) measured = false;
  if (measured || interacting || !points->points()) return;
  measured = true;
  points->colours().needFirst(kSampledPoints);
  sample = sampleView(*points->points(), points->colours().bytes(), transform(), kSampledPoints);
  sample.points *= pointsForOne();
  const double n = double(points->points()->size()) * pointsForOne();
  const double size = automaticSize(std::size_t(std::ceil(n * sample.shown)));
  if (std::exchange(ownSize, size) != size && pointSize <= 0) contentChanged();
  ownOpacity = opacityFor(overlapOf(sample, this->size().width, drawnPointSize()));
}

void CloudScene::Impl::paintUnder(Painter& painter) const {
  paintAxesUnder(painter, layout, theme());
}

void CloudScene::Impl::paintMarker(Painter& painter, const ViewTransform& view) const {
  const bool isPoint = marker && points->points() && *marker < points->points()->size();
  if (!markedPlace && !isPoint) return;
  const std::array<double, 3> at = markedPlace ? *markedPlace : placeOf(*points->points(), *marker);
  paintRing(painter, view, at, drawnPointSize() / 2 + 4 * painter.ratio());
  if (markerRadius <= 0) return;
  // Seen from far enough a sphere's outline is a circle as wide as the sphere.
  double right[3];
  vtkMath::Cross(camera->GetDirectionOfProjection(), camera->GetViewUp(), right);
  vtkMath::Normalize(right);
  std::array<double, 3> edge = at;
  for (std::size_t a = 0; a < 3; ++a) edge[a] += right[a] * markerRadius * space()->scale[a];
  paintCircleThrough(painter, view, at, edge, theme().accent);
}

void CloudScene::Impl::paintMarks(Painter& painter) const {
  const Theme t = theme();
  const ViewTransform view = transform();
  if (space() != nullptr) {
    if (highlights) paintHighlights(painter, *highlights, *space(), view, t);
    if (cellMarker && cells)
      paintCellOutline(painter, view, *space(), *cells, *cellMarker, t.accent);
  }
  if (const auto& centre = turnStyle->centre; centre && !flat()) paintCross(painter, view, *centre);
  paintMarker(painter, view);
}

void CloudScene::Impl::paintOver(Painter& painter) const {
  const Size pixels = size();
  const Theme t = theme();
  paintMarks(painter);
  if (axesVisible && space() != nullptr && flat())
    paintRulers(painter, layout, t, pixels.width, pixels.height);
  paintAxesOver(painter, layout, t);
  if (legend)
    paintLegend(painter, *legend, legendBox(*legend, legendPlace, legendArea(), painter.ratio()),
                t);
  if (const auto bar = scaleBar()) paintScaleBar(painter, *bar, scaleBarBox(*bar), t);
  paintCaption(painter, caption, t, layout.leftBand, pixels.height);
}

std::optional<ScaleBar> CloudScene::Impl::scaleBar() const {
  const DisplaySpace* shown = space();
  if (!scaleUnit || shown == nullptr || !parallel()) return std::nullopt;
  for (int a = 1; a < shown->axes; ++a)
    if (shown->scale[std::size_t(a)] != shown->scale[0]) return std::nullopt;
  const PixelBox area = legendArea();
  const double perUnit = size().height / (2 * camera->GetParallelScale());
  return scaleBarWithin(perUnit * shown->scale[0], area.x1 - area.x0, ratio, *scaleUnit);
}

PixelBox CloudScene::Impl::freestOf(std::initializer_list<LegendPlace> places, double width,
                                    double height, const std::optional<PixelBox>& taken) const {
  const PixelBox area = legendArea();
  std::optional<PixelBox> best;
  std::size_t fewest = 0;
  for (const LegendPlace place : places) {
    const PixelBox box = boxAt(place, width, height, area, kCornerMargin * ratio);
    if (legend && box.overlaps(legendBox(*legend, legendPlace, area, ratio))) continue;
    if (taken && box.overlaps(*taken)) continue;
    const std::size_t covered = pointsWithin(box, sample.pixels);
    if (best && covered >= fewest) continue;
    best = box;
    fewest = covered;
  }
  return best.value_or(boxAt(*places.begin(), width, height, area, kCornerMargin * ratio));
}

// Not at the upper left: the caption is there.
PixelBox CloudScene::Impl::scaleBarBox(const ScaleBar& bar) const {
  return freestOf({LegendPlace::BottomLeft, LegendPlace::BottomRight, LegendPlace::TopRight},
                  bar.width, bar.height, std::nullopt);
}

std::array<double, 2> CloudScene::freeCorner(double width, double height) const {
  const auto bar = impl_->scaleBar();
  const PixelBox box =
      impl_->freestOf({LegendPlace::TopRight, LegendPlace::BottomRight, LegendPlace::TopLeft,
                       LegendPlace::BottomLeft},
                      width, height, bar ? std::optional(impl_->scaleBarBox(*bar)) : std::nullopt);
  return {box.x0, box.y0};
}

void CloudScene::setInteracting(bool interacting) { impl_->interacting = interacting; }
void CloudScene::setProgressive(bool progressive) { impl_->progressive = progressive; }
void CloudScene::setFrameTime(double milliseconds) { impl_->frameMs = milliseconds; }
void CloudScene::setPointBudget(std::size_t points) {
  impl_->pointBudget = points;
  impl_->contentChanged();
}

bool CloudScene::moreToDraw() const {
  if (impl_->interacting) return false;
  return !impl_->points->isComplete() || !impl_->isStoredComplete() || !impl_->added->isComplete();
}

double CloudScene::drawnFraction() const {
  const std::size_t visible = impl_->points->visiblePoints();
  if (visible == 0) return impl_->points->isComplete() ? 1 : 0;
  return double(impl_->points->drawnPoints()) / double(visible);
}

std::size_t CloudScene::drawnPoints() const { return impl_->points->drawnPoints(); }

std::size_t CloudScene::drawnStoredPoints() const { return impl_->stored->drawnPoints(); }

std::optional<Error> CloudScene::storedError() const { return impl_->stored->storedError(); }

}  // namespace clusterloom
