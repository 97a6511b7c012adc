#include "ui/view/chart_view.h"

#include <vtkInteractorObserver.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <QEvent>
#include <QKeyEvent>
#include <algorithm>

#include "render/charts/chart.h"
#include "ui/theme/theme.h"

namespace clusterloom {

ChartView::ChartView(Chart& chart, QWidget* parent) : VtkView(parent), chart_(chart) {
  chart_.attach(renderWindow());
  interactor()->SetInteractorStyle(chart_.interactorStyle());
  setMinimumHeight(110);
  followTheme();
}

ChartView::~ChartView() {
  releaseGl();
  interactor()->SetInteractorStyle(nullptr);
  chart_.detach();
}

void ChartView::followTheme() {
  chart_.setBackground(isDark(palette()) ? Background::Dark : Background::Light);
  requestFrame();
}

void ChartView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) followTheme();
  VtkView::changeEvent(event);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  const auto key = [event] {
    switch (event->key()) {
      case Qt::Key_Left:
        return ChartKey::Left;
      case Qt::Key_Right:
        return ChartKey::Right;
      case Qt::Key_Plus:
      case Qt::Key_Equal:
        return ChartKey::ZoomIn;
      case Qt::Key_Minus:
        return ChartKey::ZoomOut;
      case Qt::Key_Home:
        return ChartKey::All;
      default:
        return ChartKey::None;
    }
  }();
  if (!chart_.pressKey(key)) return VtkView::keyPressEvent(event);
  requestFrame();
}

void ChartView::aboutToDraw() {
  // Numbers and titles grow with the text of the window, as far as they leave space for the plot.
  constexpr double kMargins = 74;  // above and below the plot, at the usual size of text
  constexpr double kMostOfHeight = 0.55;
  constexpr double kUsual = 1.25;  // up to this, text is of the usual size
  const double scaled = fontScaled(100) / 100.0;
  const double text = scaled < kUsual ? 1 : scaled;
  const double factor = std::clamp(kMostOfHeight * height() / kMargins, 1.0, std::max(1.0, text));
  const double ratio = factor * devicePixelRatioF();
  if (ratio == pixelRatio_) return;
  pixelRatio_ = ratio;
  chart_.setPixelRatio(ratio);
}

}  // namespace clusterloom
