#include "ui/widgets/elided_label.h"

#include <QPainter>
#include <QStyle>

namespace clusterloom {

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 4, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
  const QRect room = contentsRect();
  // A selection is painted by the label itself, possibly cut off.
  if (hasSelectedText() || fontMetrics().horizontalAdvance(text()) <= room.width())
    return QLabel::paintEvent(event);
  QPainter painter(this);
  style()->drawItemText(&painter, room, int(alignment()), palette(), isEnabled(),
                        fontMetrics().elidedText(text(), Qt::ElideRight, room.width()),
                        foregroundRole());
}

}  // namespace clusterloom
