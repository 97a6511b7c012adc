#include "ui/widgets/wrapping_row.h"
#include "ui/widgets/form.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace clusterloom {

namespace {
constexpr int kLeastRest = 120;  // what the last widget of a line gets at least

bool takesRest(const QLayoutItem& item) {
  return item.widget() != nullptr &&
         item.widget()->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
}

}  // namespace

WrappingRow::WrappingRow(QWidget* parent) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
  setSpacing(8);
}

WrappingRow::~WrappingRow() {
  for (QLayoutItem* item : items_) delete item;
}

void WrappingRow::addField(const QString& label, QWidget* field) {
  auto* both = new QWidget;
  auto* layout = spaced(new QHBoxLayout(both), {0, 0, 0, 0}, 6);
  auto* text = new QLabel(label, both);
  text->setBuddy(field);
  layout->addWidget(text);
  layout->addWidget(field, 1);
  addWidget(both);
}

void WrappingRow::addItem(QLayoutItem* item) { items_.push_back(item); }

int WrappingRow::count() const { return int(items_.size()); }

QLayoutItem* WrappingRow::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[std::size_t(index)] : nullptr;
}

QLayoutItem* WrappingRow::takeAt(int index) {
  QLayoutItem* item = itemAt(index);
  if (item != nullptr) items_.erase(items_.begin() + index);
  return item;
}

QSize WrappingRow::sizeHint() const {
  QSize size;
  for (const QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const QSize hint = item->sizeHint();
    size = QSize(size.width() + hint.width() + (size.width() > 0 ? spacing() : 0),
                 std::max(size.height(), hint.height()));
  }
  const QMargins margins = contentsMargins();
  return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

QSize WrappingRow::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  const QMargins margins = contentsMargins();
  return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

bool WrappingRow::hasHeightForWidth() const { return true; }

int WrappingRow::heightForWidth(int width) const { return place({0, 0, width, 0}, false); }

void WrappingRow::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  place(rect, true);
}

int WrappingRow::place(const QRect& rect, bool moves) const {
  const QMargins margins = contentsMargins();
  const QRect inside = rect.marginsRemoved(margins);
  int y = inside.top();
  std::size_t at = 0;
  while (at < items_.size()) {
    // The items of a line, then their places.
    std::vector<QLayoutItem*> line;
    int width = 0;
    int height = 0;
    for (; at < items_.size(); ++at) {
      QLayoutItem* item = items_[at];
      if (item->isEmpty()) continue;
      const int wants = takesRest(*item) ? kLeastRest : item->sizeHint().width();
      const int needed = wants + (line.empty() ? 0 : spacing());
      if (!line.empty() && width + needed > inside.width()) break;
      width += needed;
      height = std::max(height, item->sizeHint().height());
      line.push_back(item);
    }
    int x = inside.left();
    for (QLayoutItem* item : line) {
      int wide = takesRest(*item) ? kLeastRest + std::max(0, inside.width() - width)
                                  : item->sizeHint().width();
      wide = std::min(wide, inside.width());
      const int high = std::min(item->sizeHint().height(), height);
      if (moves) {
        const QRect space(x, y + (height - high) / 2, wide, high);
        item->setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), inside, space));
      }
      x += wide + spacing();
    }
    if (!line.empty()) y += height + (at < items_.size() ? spacing() : 0);
  }
  return y - inside.top() + margins.top() + margins.bottom();
}

}  // namespace clusterloom
