#pragma once

#include <vtkInteractorStyle.h>
#include <vtkNew.h>
#include <vtkRenderer.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "render/charts/chart.h"
#include "render/charts/plot_area.h"
#include "render/paint/painted_item.h"

namespace clusterloom {

struct DraggedEps;

/// Passes pointer events to a chart.
class ChartStyle : public vtkInteractorStyle {
 public:
  static ChartStyle* New();
  vtkTypeMacro(ChartStyle, vtkInteractorStyle);
  void OnMouseMove() override;
  void OnLeftButtonDown() override;
  void OnLeftButtonUp() override;
  void OnLeave() override;
  void OnMouseWheelForward() override { turnWheel(1); }
  void OnMouseWheelBackward() override { turnWheel(-1); }
  void OnLeftButtonDoubleClick() override;
  void OnChar() override {}

  Chart::Impl* chart = nullptr;

 protected:
  ChartStyle() = default;
  ~ChartStyle() override = default;

 private:
  void turnWheel(int notches);
  bool dragging_ = false;
};

/// The implementation shared by all charts; each chart sets `paint` and the reactions.
struct Chart::Impl {
  vtkNew<vtkRenderer> renderer;
  vtkNew<PaintedItem> item;
  vtkNew<ChartStyle> style;
  vtkRenderWindow* window = nullptr;
  Background background = Background::Dark;
  std::string emptyText;
  bool empty = true;
  std::uint64_t revision = 0;
  int width = 0;  ///< of the last frame, device pixels
  int height = 0;

  std::function<void(Painter&)> paint;
  std::function<bool(double x, double y, bool dragging)> moved;  ///< true: draw again
  std::function<bool(double x, double y)> press;                 ///< true: a drag begins
  std::function<void()> release;
  std::function<void()> leave;
  std::function<bool(double x, double y, int notches)> wheel;  ///< true: draw again
  std::function<bool(ChartKey key)> key;                       ///< true: draw again
  std::function<std::string()> chosen;                         ///< in words, what keys chose
  std::function<bool()> zoomed;  ///< true: a part of the horizontal axis is visible
  std::shared_ptr<void> parts;   ///< see partsOf
  DraggedEps* eps = nullptr;     ///< of an EpsChart

  const Theme& theme() const { return themeOf(background); }
  /// To be called whenever other data are shown.
  void dataSet(bool nothing) {
    empty = nothing;
    ++revision;
  }
  void paintAll(Painter& painter) {
    if (empty)
      painter.text(fitted(painter, emptyText, width - 8 * painter.ratio(), 12), width / 2.0,
                   height / 2.0, Across::Centre, Along::Centre, theme().faintText, 12);
    else if (paint)
      paint(painter);
  }
  bool pointerMoved(double x, double y, bool dragging) {
    return !empty && moved && moved(x, y, dragging);
  }
  bool pressed(double x, double y) { return !empty && press && press(x, y); }
  void released() {
    if (release) release();
  }
  void pointerLeft() {
    if (leave) leave();
  }
  bool wheelTurned(double x, double y, int notches) {
    return !empty && wheel && wheel(x, y, notches);
  }
  bool keyPressed(ChartKey pressedKey) { return !empty && key && key(pressedKey); }
};

/// What the parts of each chart have.
struct ChartParts {
  Chart::Impl* chart = nullptr;
};

/// Makes the parts of a chart, which live as long as it and paint it, by a call of
/// paint(painter, theme, device pixels per logical pixel).
template <class Parts>
Parts* partsOf(Chart::Impl& chart) {
  const auto parts = std::make_shared<Parts>();
  parts->chart = &chart;
  chart.paint = [&chart, &painting = *parts](Painter& painter) {
    painting.paint(painter, chart.theme(), painter.ratio());
  };
  chart.parts = parts;
  return parts.get();
}

/// Where the pointer is over a chart that shows what is under it and takes no drags.
struct Hover {
  bool hovering = false;
  double x = 0;  ///< device pixels
  double y = 0;

  bool isOver(const PlotArea& area) const { return hovering && area.contains(x, y); }
};

/// Keeps `hover` up to date. It must live as long as the chart.
inline void followPointer(Chart::Impl& chart, Hover& hover) {
  chart.moved = [&hover](double x, double y, bool) {
    hover = {true, x, y};
    return true;
  };
  chart.leave = [&hover] { hover.hovering = false; };
}

}  // namespace clusterloom
