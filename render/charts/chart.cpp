#include "render/charts/chart.h"

#include <vtkInteractorStyle.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>

#include <algorithm>

#include "render/charts/chart_parts.h"

namespace clusterloom {

vtkStandardNewMacro(ChartStyle);

void ChartStyle::OnMouseMove() {
  const int* at = this->Interactor->GetEventPosition();
  if (chart->pointerMoved(at[0], at[1], dragging_)) this->Interactor->Render();
}

void ChartStyle::OnLeftButtonDown() {
  const int* at = this->Interactor->GetEventPosition();
  dragging_ = chart->pressed(at[0], at[1]);
  if (dragging_) this->Interactor->Render();
}

void ChartStyle::OnLeftButtonUp() {
  if (!dragging_) return;
  dragging_ = false;
  chart->released();
  this->Interactor->Render();
}

void ChartStyle::OnLeave() {
  chart->pointerLeft();
  this->Interactor->Render();
}

void ChartStyle::turnWheel(int notches) {
  const int* at = this->Interactor->GetEventPosition();
  if (chart->wheelTurned(at[0], at[1], notches)) this->Interactor->Render();
}

void ChartStyle::OnLeftButtonDoubleClick() {
  if (chart->keyPressed(ChartKey::All)) this->Interactor->Render();
}

Chart::Chart() : impl_(std::make_unique<Impl>()) {
  Impl& c = *impl_;
  c.style->chart = &c;
  c.item->paint = [&c](Painter& painter) {
    if (c.window == nullptr) return;
    const int* size = c.window->GetSize();
    c.width = size[0];
    c.height = size[1];
    if (c.empty) {
      painter.text(c.emptyText, c.width / 2.0, c.height / 2.0, Across::Centre, Along::Centre,
                   c.theme().faintText, 12);
      return;
    }
    if (c.paint) c.paint(painter);
  };
  c.item->addTo(c.renderer);
  setBackground(Background::Dark);
}

Chart::~Chart() { detach(); }

void Chart::attach(vtkRenderWindow* window) {
  detach();
  impl_->window = window;
  window->AddRenderer(impl_->renderer);
}

void Chart::detach() {
  if (impl_->window != nullptr) impl_->window->RemoveRenderer(impl_->renderer);
  impl_->window = nullptr;
}

vtkRenderer* Chart::renderer() const { return impl_->renderer; }

vtkInteractorObserver* Chart::interactorStyle() const { return impl_->style; }

void Chart::setBackground(Background background) {
  impl_->background = background;
  const Colour ground = impl_->theme().ground;
  impl_->renderer->SetBackground(ground.r / 255.0, ground.g / 255.0, ground.b / 255.0);
}

void Chart::setPixelRatio(double ratio) { impl_->item->ratio = std::clamp(ratio, 0.5, 8.0); }

bool Chart::pressKey(ChartKey key) { return impl_->keyPressed(key); }

void Chart::setEmptyText(const std::string& text) { impl_->emptyText = text; }

}  // namespace clusterloom
