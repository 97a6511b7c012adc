#include "render/scene/cloud_scene.h"

#include <vtkCommand.h>
#include <vtkCullerCollection.h>
#include <vtkRenderWindow.h>

#include <algorithm>
#include <span>

#include "render/scene/cloud_scene_impl.h"
#include "render/scene/point_colours.h"
#include "render/scene/scene_camera.h"

namespace clusterloom {

void CloudScene::Impl::onEvent(vtkObject* /*caller*/, unsigned long event, void* self,
                               void* /*data*/) {
  auto* impl = static_cast<Impl*>(self);
  switch (event) {
    case vtkCommand::StartEvent: impl->prepareFrame(); break;
    case vtkCommand::StartInteractionEvent: impl->interacting = true; break;
    case vtkCommand::EndInteractionEvent: impl->interacting = false; break;
    case vtkCommand::DeleteEvent: impl->window = nullptr; break;
    default: break;
  }
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
  contentChanged();
}

void CloudScene::Impl::colourPlain() {
  if (!plainStale || !points->points()) return;
  plainStale = false;
  ColourRequest request;
  request.background = background;
  const std::shared_ptr<const DisplayPoints>& drawn = points->points();
  points->setColours(std::make_shared<const DrawnColours>(
      drawn, [colour = pointColourer(request), order = std::span(drawn->order)](
                 std::size_t first, std::span<std::uint8_t> bytes) {
        colour(order.subspan(first, bytes.size() / 4), bytes);
      }));
}

CloudScene::CloudScene() : impl_(std::make_unique<Impl>()) {
  Impl& s = *impl_;
  s.observer->SetClientData(impl_.get());
  s.observer->SetCallback(&Impl::onEvent);
  for (vtkRenderer* renderer : {s.under.Get(), s.middle.Get(), s.over.Get()})
    renderer->SetActiveCamera(s.camera);
  s.under->InteractiveOff();
  s.over->InteractiveOff();
  s.middle->GetCullers()->RemoveAllItems();  // a prop that is passed over would never be complete
  s.middle->AddViewProp(s.points);
  s.middle->AddViewProp(s.stored);
  s.middle->AddViewProp(s.added);  // drawn after the points, and over them
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
  lookFrom(*s.camera, ViewPreset::Corner);
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
  s.contentChanged();
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
  const bool sameView = before && points && samePlaces(before->space, points->space);
  const bool sameBox =
      sameView && before->box.low == points->box.low && before->box.high == points->box.high;
  const bool wasFitted = s.isFitted();
  s.points->setPoints(std::move(points));
  s.added->setPoints(nullptr);
  s.plainColours = s.plainStale = true;
  s.marker.reset();
  s.markedPlace.reset();
  s.cellMarker.reset();
  s.highlights.reset();
  if (!sameView) {
    setStoredPoints(nullptr, {});
    setCells(nullptr, s.cellColour);
    s.turnStyle->centre.reset();
    if (wasFlat && !s.flat()) lookFrom(*s.camera, ViewPreset::Corner);
    s.fitAll();
  } else if (wasFitted && !sameBox) {
    s.fitAll();
  }
  s.restyle();
}

const std::shared_ptr<const DisplayPoints>& CloudScene::points() const {
  return impl_->points->points();
}

void CloudScene::setColours(std::shared_ptr<const DrawnColours> colours) {
  Impl& s = *impl_;
  if (!s.points->points() || colours->points() != s.points->points()->size()) return;
  s.plainColours = s.plainStale = false;
  s.points->setColours(std::move(colours));
  s.contentChanged();
}

const DrawnColours& CloudScene::colours() const {
  impl_->colourPlain();
  return impl_->points->colours();
}

void CloudScene::setStoredPoints(std::shared_ptr<const StoredPoints> stored,
                                 StoredColourer colourer, std::optional<std::uint64_t> shown) {
  Impl& s = *impl_;
  if (!stored && !s.storedPoints) return;
  const bool wasFitted = (stored != s.storedPoints || shown != s.storedShown) && s.isFitted();
  s.storedPoints = stored;
  s.storedShown = shown;
  s.stored->setStored(std::move(stored), std::move(colourer));
  s.stored->setKept(true);
  s.points->setKept(bool(s.storedPoints));
  if (wasFitted) s.keepFitted(true);
  s.contentChanged();
}

const std::shared_ptr<const StoredPoints>& CloudScene::storedPoints() const {
  return impl_->storedPoints;
}

void CloudScene::setAddedPoints(std::shared_ptr<const DisplayPoints> points,
                                std::vector<std::uint8_t> colours) {
  Impl& s = *impl_;
  if (!s.points->points() || (points && colours.size() != 4 * points->size())) return;
  const bool others = points != s.added->points();
  const bool wasFitted = others && s.isFitted();
  if (others) s.added->setPoints(std::move(points));
  s.added->setColours(std::make_shared<const DrawnColours>(std::move(colours)));
  if (others) s.keepFitted(wasFitted);
  s.contentChanged();
}

const std::shared_ptr<const DisplayPoints>& CloudScene::addedPoints() const {
  return impl_->added->points();
}

void CloudScene::setPointSize(double size) {
  impl_->pointSize = size > 0 ? std::clamp(size, 1.0, 20.0) : 0;
  impl_->contentChanged();
}

void CloudScene::setPointOpacity(double opacity) {
  impl_->opacity = std::clamp(opacity, 0.02, 1.0);
  impl_->contentChanged();
}

void CloudScene::setDensityBlended(bool blended) {
  impl_->densityBlended = blended;
  impl_->contentChanged();
}

void CloudScene::setNoiseStrength(double strength) {
  impl_->noise = std::clamp(strength, 0.0, 1.0);
  impl_->contentChanged();
}

void CloudScene::setRelief(double strength) {
  impl_->relief = std::clamp(strength, 0.0, 1.0);
  impl_->contentChanged();
}

void CloudScene::setBackground(Background background) {
  if (std::exchange(impl_->background, background) != background)
    setCells(impl_->cells, impl_->cellColour);
  impl_->plainStale = impl_->plainColours;
  impl_->restyle();
}

void CloudScene::setGround(const std::optional<Colour>& ground) {
  impl_->ground = ground;
  impl_->restyle();
}

Background CloudScene::background() const { return impl_->background; }

void CloudScene::setPixelRatio(double ratio) {
  const double clamped = std::clamp(ratio, 0.5, 8.0);
  if (clamped == impl_->ratio) return;
  const bool wasFitted = impl_->isFitted();
  impl_->ratio = clamped;
  impl_->restyle();
  impl_->keepFitted(wasFitted);  // rulers and legend have another size
}

void CloudScene::setOrthographic(bool orthographic) {
  Impl& s = *impl_;
  if (orthographic == s.orthographic) return;
  const bool wasFitted = s.isFitted();
  s.orthographic = orthographic;
  if (s.flat()) return;
  setParallel(*s.camera, orthographic);
  s.keepFitted(wasFitted);
}

bool CloudScene::isOrthographic() const { return impl_->orthographic; }

void CloudScene::setScaleBar(const std::optional<std::string>& unit) {
  impl_->scaleUnit = unit;
  impl_->contentChanged();
}

void CloudScene::setAxesVisible(bool visible) {
  const bool wasFitted = impl_->isFitted();
  impl_->axesVisible = visible;
  impl_->keepFitted(wasFitted);
}

void CloudScene::setCaption(const std::string& text) { impl_->caption.text = text; }
void CloudScene::setSubcaption(const std::string& text) { impl_->caption.detail = text; }
void CloudScene::setLegend(const std::optional<ScalarLegend>& legend) {
  const bool wasFitted = impl_->isFitted() && legend.has_value() != impl_->legend.has_value();
  impl_->legend = legend;
  if (wasFitted) impl_->fitAll();
}
const std::optional<ScalarLegend>& CloudScene::legend() const { return impl_->legend; }
void CloudScene::setMarker(std::optional<std::uint32_t> drawn) { impl_->marker = drawn; }
void CloudScene::setMarkedPlace(const std::optional<std::array<double, 3>>& place) {
  impl_->markedPlace = place;
}
void CloudScene::setMarkerRadius(double eps) { impl_->markerRadius = eps; }

std::string CloudScene::setCells(std::shared_ptr<const CellBoxes> cells, CellColour by) {
  Impl& s = *impl_;
  s.cells = std::move(cells);
  s.cellColour = by;
  if (s.cellMarker && (!s.cells || *s.cellMarker >= s.cells->size())) s.cellMarker.reset();
  s.contentChanged();
  const DisplaySpace none;
  return s.cellOverlay->show(s.cells.get(), s.space() != nullptr ? *s.space() : none, by,
                             kMostCells, s.theme());
}

void CloudScene::setCellMarker(std::optional<std::size_t> cell) { impl_->cellMarker = cell; }

void CloudScene::setHighlights(std::shared_ptr<const CellHighlights> highlights) {
  impl_->highlights = std::move(highlights);
}

std::optional<ScalarScale> CloudScene::cellScale() const { return impl_->cellOverlay->scale(); }

bool CloudScene::isFlat() const { return impl_->flat(); }

void CloudScene::restartFrame() { impl_->contentChanged(); }

ViewTransform CloudScene::viewTransform() const { return impl_->transform(); }

}  // namespace clusterloom
