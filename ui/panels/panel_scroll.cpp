#include "ui/panels/panel_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace clusterloom {

PanelScroll::PanelScroll(QWidget* content) {
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  content->installEventFilter(this);
}

QSize PanelScroll::minimumSizeHint() const {
  const QSize least = QScrollArea::minimumSizeHint();
  return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
          least.height()};
}

bool PanelScroll::eventFilter(QObject* watched, QEvent* event) {
  // The content needs another width: another font, rows shown or hidden.
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace clusterloom
