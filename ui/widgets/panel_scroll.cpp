#include "ui/widgets/panel_scroll.h"

#include <QEvent>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace clusterloom {

namespace {

/// A scroll area gives content whose height depends on its width its
/// preferred height, and cuts it off where nothing scrolls vertically. This layout hides that
/// dependence.
class WholeHeightLayout final : public QVBoxLayout {
 public:
  using QVBoxLayout::QVBoxLayout;
  bool hasHeightForWidth() const override { return false; }
};

QWidget* inWholeHeight(QWidget* content) {
  auto* outer = new QWidget;
  auto* layout = new WholeHeightLayout(outer);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(content);
  return outer;
}

}  // namespace

PanelScroll::PanelScroll(QWidget* panel, Qt::Orientation direction)
    : direction_(direction), content_(direction == Qt::Vertical ? panel : inWholeHeight(panel)) {
  content_->setParent(viewport());
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  if (direction == Qt::Vertical) setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
}

QSize PanelScroll::sizeHint() const {
  ensurePolished();
  return QScrollArea::sizeHint();
}

QSize PanelScroll::minimumSizeHint() const {
  ensurePolished();
  constexpr int kLeastHeight = 44;  // two rows: several panels above each other fit a low window
  constexpr int kLeastPage = 112;   // lower ones scroll, too
  const QSize least = QScrollArea::minimumSizeHint().boundedTo({QWIDGETSIZE_MAX, kLeastHeight});
  const QSize content = widget()->minimumSizeHint();
  if (direction_ == Qt::Vertical)
    return {content.width() + verticalScrollBar()->sizeHint().width(), least.height()};
  return {least.width(),
          std::min(content.height(), kLeastPage) + horizontalScrollBar()->sizeHint().height()};
}

void PanelScroll::reveal(QWidget* widget) {
  const auto scrollTo = [widget] {
    for (QWidget* outer = widget->parentWidget(); outer != nullptr; outer = outer->parentWidget()) {
      constexpr int kMargin = 10;  // that of a panel
      auto* scroll = qobject_cast<QScrollArea*>(outer);
      if (scroll != nullptr) return scroll->ensureWidgetVisible(widget, 0, kMargin);
    }
  };
  // Once more after the first layout: heights of rows follow from their widths.
  QTimer::singleShot(0, widget, [widget, scrollTo] {
    scrollTo();
    QTimer::singleShot(0, widget, scrollTo);
  });
}

bool PanelScroll::event(QEvent* event) {
  // A scroll area measures, and therefore styles, the whole panel that it is given; each window
  // around it that is added later would style it again. By now all of them are there.
  if (event->type() == QEvent::Polish && widget() == nullptr) {
    setWidget(content_);
    content_->installEventFilter(this);
  }
  return QScrollArea::event(event);
}

bool PanelScroll::eventFilter(QObject* watched, QEvent* event) {
  // The content needs another size: another font, rows shown or hidden.
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace clusterloom
