#include "ui/view/selection_outline.h"

#include <QPainter>

namespace clusterloom {

SelectionOutline::SelectionOutline(QWidget* canvas) : QWidget(canvas) {
  setObjectName(QStringLiteral("selectionOutline"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void SelectionOutline::setOutline(const QPolygonF& outline) {
  outline_ = outline;
  if (!outline.isEmpty()) {
    setGeometry(parentWidget()->rect());
    raise();
  }
  setVisible(!outline.isEmpty());
  update();
}

void SelectionOutline::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  // Two tones, so that it is seen on points of any colour.
  painter.setPen(QPen(QColor(0, 0, 0, 200), 3));
  painter.setBrush(QColor(90, 160, 255, 40));
  painter.drawPolygon(outline_, Qt::WindingFill);
  painter.setPen(QPen(Qt::white, 1.2, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolygon(outline_);
}

}  // namespace clusterloom
