#include "ui/widgets/grouped_header.h"

#include <QPainter>
#include <algorithm>
#include <utility>

namespace clusterloom {

namespace {
constexpr int kTitlePadding = 6;  // beside a title, as the theme has it
constexpr int kTitleAround = 3;   // above and below a heading
}  // namespace

GroupedHeader::GroupedHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
}

void GroupedHeader::setGroups(std::vector<HeaderGroup> groups) {
  groups_ = std::move(groups);
  updateGeometry();
  viewport()->update();
}

int GroupedHeader::bandHeight() const {
  return groups_.empty() ? 0 : fontMetrics().height() + 2 * kTitleAround;
}

QSize GroupedHeader::sizeHint() const {
  QSize size = QHeaderView::sizeHint();
  size.rheight() += bandHeight();
  return size;
}

void GroupedHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
  QHeaderView::paintSection(painter, rect.adjusted(0, bandHeight(), 0, 0), logicalIndex);
}

void GroupedHeader::paintEvent(QPaintEvent* event) {
  QHeaderView::paintEvent(event);
  QPainter painter(viewport());
  for (const HeaderGroup& group : groups_) {
    int left = viewport()->width();
    int right = 0;
    for (int column = group.first; column <= group.last; ++column) {
      if (isSectionHidden(column)) continue;
      const int at = sectionViewportPosition(column);
      left = std::min(left, at);
      right = std::max(right, at + sectionSize(column));
    }
    const QRect band = QRect(left, 0, right - left, bandHeight()).intersected(viewport()->rect());
    if (right <= left || band.width() <= 2 * kTitlePadding) continue;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(band.left() + kTitlePadding, band.bottom(), band.right() - kTitlePadding,
                     band.bottom());
    painter.setPen(palette().color(QPalette::WindowText));
    const QRect words = band.adjusted(kTitlePadding, 0, -kTitlePadding, 0);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(group.title, Qt::ElideRight, words.width()));
  }
}

}  // namespace clusterloom
