// The camera of a scene.
#include <vtkRenderWindow.h>

#include <algorithm>
#include <cmath>

#include "render/scene/cloud_scene_impl.h"
#include "render/scene/scene_camera.h"

namespace clusterloom {
namespace {

/// Logical pixels beside a legend that a flat view leaves free, too.
constexpr double kLegendMargins = 22;
/// Of the width of a flat view a legend keeps at most so much free.
constexpr double kMostForLegend = 0.4;
/// Logical pixels free at each side of a flat cloud that is shown whole: the number of a tick at
/// its end fits. In small windows no more than this fraction of their smaller side.
constexpr double kFlatEdge = 24;
constexpr double kLargestEdge = 0.05;

}  // namespace

CloudScene::Impl::Size CloudScene::Impl::size() const {
  if (window == nullptr) return {};
  const int* pixels = window->GetSize();
  return {pixels[0], pixels[1]};
}

DisplayBox CloudScene::Impl::wholeBox() const { return boxWith(stored->GetBounds()); }

DisplayBox CloudScene::Impl::shownBox() const {
  return boxWith(storedShown ? nullptr : stored->GetBounds());
}

DisplayBox CloudScene::Impl::boxWith(const double* ofStored) const {
  DisplayBox box;
  const double* bounds = points->GetBounds();
  if (bounds == nullptr) return box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = bounds[2 * a];
    box.high[a] = bounds[2 * a + 1];
  }
  // Outliers that the sample lacks do not make all others small.
  if (ofStored != nullptr)
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], std::max(ofStored[2 * a], -1.0));
      box.high[a] = std::max(box.high[a], std::min(ofStored[2 * a + 1], 1.0));
    }
  if (const double* more = added->GetBounds(); more != nullptr)
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], more[2 * a]);
      box.high[a] = std::max(box.high[a], more[2 * a + 1]);
    }
  return box;
}

ViewTransform CloudScene::Impl::transform() const {
  const Size pixels = size();
  if (pixels.empty()) return {};
  ViewTransform view = transformOf(*camera, pixels.width, pixels.height, flat());
  view.noiseStrength = noise;
  return view;
}

double CloudScene::Impl::legendWidth() const {
  if (!legend) return 0;
  const PixelBox box = legendBox(*legend, LegendPlace::Right, legendArea(), ratio);
  return std::min(box.x1 - box.x0 + kLegendMargins * ratio, kMostForLegend * size().width);
}

void CloudScene::Impl::fitBox(const DisplayBox& box, double part, double edge) {
  const Size pixels = size();
  if (pixels.empty()) return;
  FitArea area;
  area.width = pixels.width;
  area.height = pixels.height;
  area.margin = part;
  area.top = captionHeight(caption, ratio);
  if (flat()) {
    if (axesVisible && space() != nullptr)
      area.left = leftRulerWidth(*space(), space()->toValue(1, box.low[1]),
                                 space()->toValue(1, box.high[1]), ratio);
    if (axesVisible) area.bottom = kBottomRuler * ratio;
    area.right = legendWidth();
    for (double* side : {&area.left, &area.bottom, &area.right, &area.top}) *side += edge;
    return fitFlat(*camera, box, area);
  }
  if (axesVisible) {
    // For the numbers around the box.
    const double numbers = std::min(52 * ratio, 0.13 * std::min(pixels.width, pixels.height));
    area.left = area.right = area.bottom = numbers;
    area.top += numbers;
  }
  if (orthographic)
    fitParallel(*camera, box, area);
  else
    fitPerspective(*camera, box, area);
}

void CloudScene::Impl::fitAll() {
  if (size().empty()) {
    fitWanted = true;
    return;
  }
  fitWanted = false;
  if (flat())
    fitBox(shownBox(), 1,
           std::min(kFlatEdge * ratio, kLargestEdge * std::min(size().width, size().height)));
  else
    fitBox(shownBox(), 0.98);
  setClipping(*camera, wholeBox(), flat());  // may move the camera
  fittedCamera = cameraNumbers(*camera);
  fittedSize = size();
}

bool CloudScene::Impl::isFitted() const { return cameraNumbers(*camera) == fittedCamera; }

void CloudScene::Impl::keepFitted(bool wasFitted) {
  if (wasFitted) fitAll();
  contentChanged();
}

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
  impl_->turnStyle->centre.reset();
  if (!impl_->flat()) lookFrom(*impl_->camera, preset);
  impl_->fitAll();
}

void CloudScene::zoomBy(double factor) {
  if (!(factor > 0)) return;
  vtkCamera* camera = impl_->camera;
  if (impl_->parallel())
    camera->SetParallelScale(camera->GetParallelScale() / factor);
  else
    camera->Dolly(factor);
}

void CloudScene::turnBy(double right, double up) {
  if (impl_->flat())
    panFlat(*impl_->camera, right / 90, up / 90);
  else
    turnCamera(impl_->camera, right, up, impl_->turnStyle->centre);
}

std::vector<double> CloudScene::cameraState() const {
  std::vector<double> state = cameraNumbers(*impl_->camera);
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
  setCameraNumbers(*s.camera, state, s.parallel());
  s.turnStyle->centre.reset();
  if (state.size() > kCameraNumbers) s.turnStyle->centre = {state[10], state[11], state[12]};
  return true;
}

}  // namespace clusterloom
