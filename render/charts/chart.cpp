#include "render/charts/chart.h"

#include <vtkInteractorStyle.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cctype>

#include "render/charts/chart_parts.h"
#include "render/paint/svg_painter.h"
#include "render/paint/text_font.h"

namespace clusterloom {

namespace {

/// Keeps the text and draws nothing.
class WordsPainter : public Painter {
 public:
  using Painter::Painter;
  std::vector<std::string> words;

  double leastStep() const override { return 1; }
  void line(double, double, double, double, Colour, double, int) override {}
  void polyline(const std::vector<float>&, Colour, double) override {}
  void rectangle(double, double, double, double, Colour, int) override {}
  void bars(const std::vector<float>&, double, const std::vector<float>&, Colour, int) override {}
  void pixels(double, double, double, double, int, int, const std::vector<Colour>&) override {}
  double widthOf(const std::string& text, double size, bool bold) override {
    return textWidth(text, size, bold) * ratio();
  }

 protected:
  void drawText(const std::string& text, double, double, const TextStyle&) override {
    if (!isNumber(text) && std::find(words.begin(), words.end(), text) == words.end())
      words.push_back(text);
  }

 private:
  /// "12", "0.5", "10 k", "50 %", "20 ms": at most a unit beside the digits.
  static bool isNumber(const std::string& text) {
    const auto letters = std::count_if(text.begin(), text.end(), [](unsigned char c) {
      return std::isalpha(c) != 0 || c >= 0x80U;
    });
    return letters == 0 || (letters <= 2 && std::isdigit(static_cast<unsigned char>(text[0])) != 0);
  }
};

}  // namespace

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
    c.paintAll(painter);
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

bool Chart::isEmpty() const { return impl_->empty; }

bool Chart::canZoom() const { return static_cast<bool>(impl_->zoomed); }

bool Chart::isZoomed() const { return !impl_->empty && impl_->zoomed && impl_->zoomed(); }

void Chart::paintInto(Painter& painter, int width, int height, Background background) {
  Impl& c = *impl_;
  c.pointerLeft();
  const auto paintAs = [&c](Painter& into, int wide, int high, double ratio, Background ground) {
    c.width = wide;
    c.height = high;
    c.item->ratio = ratio;
    c.background = ground;
    c.paintAll(into);
  };
  const int shownWidth = c.width;
  const int shownHeight = c.height;
  const double shownRatio = c.item->ratio;
  const Background shownBackground = c.background;
  paintAs(painter, width, height, painter.ratio(), background);
  // Painting lays the chart out, and the pointer needs the layout of what is on the screen.
  SvgPainter unused(shownWidth, shownHeight, {}, {});
  paintAs(unused, shownWidth, shownHeight, shownRatio, shownBackground);
}

std::string Chart::toSvg(int width, int height, Background background, const std::string& title) {
  SvgPainter painter(width, height, themeOf(background).ground, title);
  paintInto(painter, width, height, background);
  return painter.document();
}

bool Chart::pressKey(ChartKey key) { return impl_->keyPressed(key); }

std::vector<std::string> Chart::words() {
  Impl& c = *impl_;
  if (c.empty) return {c.emptyText};
  if (c.width == 0) return {};
  WordsPainter painter(c.item->ratio);
  c.paintAll(painter);
  return painter.words;
}

std::string Chart::chosenWords() const {
  return !impl_->empty && impl_->chosen ? impl_->chosen() : std::string();
}

std::uint64_t Chart::revision() const { return impl_->revision; }

void Chart::setEmptyText(const std::string& text) { impl_->emptyText = text; }

}  // namespace clusterloom
