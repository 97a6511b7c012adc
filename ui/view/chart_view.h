#pragma once

#include <QAccessible>
#include <QTimer>

#include "ui/view/vtk_view.h"

namespace clusterloom {

class Chart;
class LatestCall;

/// Hosts one chart and keeps it in the theme and at the pixel ratio of the screen. Arrow keys, +, −
/// and Home go to the chart, and their choice is spoken; Return uses the choice, or asks for the
/// values as a table.
///
/// While assistive technology is in use, the accessible description says what the chart shows now:
/// its titles and tags, and the range of each column of its table, which a worker determines. Of
/// very long tables it gives the number of rows only.
class ChartView : public VtkView, private QAccessible::ActivationObserver {
  Q_OBJECT

 public:
  /// `chart` must outlive the view.
  explicit ChartView(Chart& chart, QWidget* parent = nullptr);
  ~ChartView() override;

  Chart& chart() const { return chart_; }
  /// How much larger than usual text and lines of the chart are drawn: as large as the text around
  /// it, as far as they leave space for the plot.
  double magnification() const;

  QSize sizeHint() const override { return {480, 170}; }

 Q_SIGNALS:
  /// The user wants the chart's values as a table.
  void tableRequested();

 protected:
  void changeEvent(QEvent* event) override;
  void aboutToDraw() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void accessibilityActiveChanged(bool active) override;
  void followTheme();
  void describeSoon();
  void describe();
  void sayDescription();

  Chart& chart_;
  double pixelRatio_ = 0;
  QTimer describeTimer_;
  LatestCall* describing_;
  bool described_ = QAccessible::isActive();  ///< assistive technology is in use
  quint64 describedRevision_ = 0;             ///< the chart's, when ranges_ were made
  QString words_;
  QString ranges_;
};

}  // namespace clusterloom
