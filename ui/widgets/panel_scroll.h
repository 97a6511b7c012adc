#pragma once

#include <QScrollArea>

namespace clusterloom {

/// Scrolls a panel in one direction where its window is too small in that direction; in the other
/// it is never smaller than the panel. A page that scrolls across also scrolls down where there is
/// little height.
class PanelScroll : public QScrollArea {
 public:
  explicit PanelScroll(QWidget* panel, Qt::Orientation direction = Qt::Vertical);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  /// Scrolls the panel that holds a widget until the widget is seen, once it has its place: for
  /// rows that a choice has just shown.
  static void reveal(QWidget* widget);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Qt::Orientation direction_;
  QWidget* content_;  ///< the scrolled widget from the first polish on
};

}  // namespace clusterloom
