#pragma once

#include "ui/view/vtk_view.h"

namespace clusterloom {

class Chart;

/// Hosts one chart and keeps it in the theme and at the pixel ratio of the screen. Arrow keys, +, −
/// and Home are the chart's.
class ChartView : public VtkView {
  Q_OBJECT

 public:
  /// `chart` must outlive the view.
  explicit ChartView(Chart& chart, QWidget* parent = nullptr);
  ~ChartView() override;

  Chart& chart() const { return chart_; }

  QSize sizeHint() const override { return {480, 170}; }

 protected:
  void changeEvent(QEvent* event) override;
  void aboutToDraw() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void followTheme();
  Chart& chart_;
  double pixelRatio_ = 0;
};

}  // namespace clusterloom
