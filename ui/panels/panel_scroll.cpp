#include "ui/panels/panel_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace clusterloom {

PanelScroll::PanelScroll(QWidget* content, Qt::Orientation direction) : direction_(direction) {
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  if (direction == Qt::Vertical)
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  else
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  content->installEventFilter(this);
}

QSize PanelScroll::minimumSizeHint() const {
  const QSize least = QScrollArea::minimumSizeHint();
  const QSize content = widget()->minimumSizeHint();
  if (direction_ == Qt::Vertical)
    return {content.width() + verticalScrollBar()->sizeHint().width(), least.height()};
  return {least.width(), content.height() + horizontalScrollBar()->sizeHint().height()};
}

bool PanelScroll::eventFilter(QObject* watched, QEvent* event) {
  // The content needs another size: another font, rows shown or hidden.
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace clusterloom
