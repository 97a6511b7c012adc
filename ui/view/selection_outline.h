#pragma once

#include <QPolygonF>
#include <QWidget>

namespace clusterloom {

/// Draws the outline of a selection that is being made over the whole of its parent. It takes no
/// mouse events and is hidden while there is no outline.
class SelectionOutline : public QWidget {
  Q_OBJECT

 public:
  explicit SelectionOutline(QWidget* canvas);
  /// In coordinates of the canvas; empty for none.
  void setOutline(const QPolygonF& outline);
  const QPolygonF& outline() const { return outline_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QPolygonF outline_;
};

}  // namespace clusterloom
