#pragma once

#include "ui/view/vtk_view.h"

namespace clusterloom {

class Chart;

/// Hosts one chart and keeps it in the theme and at the pixel ratio of the screen.
class ChartView : public VtkView {
  Q_OBJECT

 public:
  /// `chart` must outlive the view.
  explicit ChartView(Chart& chart, QWidget* parent = nullptr);
  ~ChartView() override;

  QSize sizeHint() const override { return {480, 170}; }

 protected:
  void changeEvent(QEvent* event) override;
  void aboutToDraw() override;

 private:
  void followTheme();
  Chart& chart_;
  double pixelRatio_ = 0;
};

}  // namespace clusterloom
