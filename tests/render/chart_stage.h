#pragma once

#include <vtkCommand.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkInteractorObserver.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>

#include <QtTest>
#include <memory>

#include "render/charts/chart.h"
#include "render/gl/offscreen.h"
#include "render/paint/theme.h"

namespace clusterloom::testing {

inline constexpr int kChartWidth = 560;
inline constexpr int kChartHeight = 260;
// Where the plot of a chart is in it, in pixels from the lower left corner.
inline constexpr int kLeft = 66;
inline constexpr int kRight = kChartWidth - 18;
inline constexpr int kBottom = 44;
inline constexpr int kTop = kChartHeight - 30;

inline const Theme& dark() { return themeOf(Background::Dark); }

/// A chart in a window without a display, with a pointer.
template <class ChartType>
struct ChartStage {
  std::unique_ptr<OffscreenWindow> window;
  ChartType chart;
  vtkNew<vtkGenericRenderWindowInteractor> interactor;

  explicit ChartStage(int width = kChartWidth, int height = kChartHeight) {
    auto made = OffscreenWindow::make(width, height);
    if (!made) qFatal("%s", made.error().message.c_str());
    window = std::move(*made);
    chart.attach(window->window());
    interactor->SetRenderWindow(window->window());
    interactor->SetEnableRender(false);
    interactor->SetInteractorStyle(chart.interactorStyle());
    interactor->Initialize();
  }
  ~ChartStage() {
    interactor->SetInteractorStyle(nullptr);
    window->window()->SetInteractor(nullptr);
    interactor->SetRenderWindow(nullptr);
    chart.detach();
  }
  void send(unsigned long event, int x, int y) {
    interactor->SetEventInformation(x, y, 0, 0);
    interactor->InvokeEvent(event);
  }
  void click(int x, int y) {
    send(vtkCommand::LeftButtonPressEvent, x, y);
    send(vtkCommand::LeftButtonReleaseEvent, x, y);
  }
  void drag(int x0, int y0, int x1, int y1) {
    send(vtkCommand::LeftButtonPressEvent, x0, y0);
    send(vtkCommand::MouseMoveEvent, x1, y1);
    send(vtkCommand::LeftButtonReleaseEvent, x1, y1);
  }
};

}  // namespace clusterloom::testing
