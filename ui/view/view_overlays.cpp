#include "ui/view/view_overlays.h"

#include <QLabel>
#include <algorithm>

namespace clusterloom {

namespace {

constexpr int kMargin = 12;
constexpr int kLeastWidth = 120;

/// In one line where it fits.
void fitInto(QLabel& label, int room) {
  label.setWordWrap(false);
  label.setMinimumWidth(0);
  label.setMaximumWidth(QWIDGETSIZE_MAX);
  if (label.sizeHint().width() > room) {
    label.setWordWrap(true);
    label.setFixedWidth(std::max(kLeastWidth, room));
  }
  label.adjustSize();
}

}  // namespace

ViewOverlays::ViewOverlays(QWidget* canvas) : QObject(canvas), canvas_(canvas) {
  badge_ = label("previewBadge");
  hover_ = label("hoverText");
  key_ = label("colourKey");
  key_->setTextFormat(Qt::RichText);
  badge_->setStyleSheet(QStringLiteral(
      "QLabel { background: #ffc861; color: #2b1d00; border-radius: 6px; padding: 5px 11px; "
      "font-weight: 600; }"));
}

QLabel* ViewOverlays::label(const char* name) {
  auto* made = new QLabel(canvas_);
  made->setObjectName(QLatin1String(name));
  made->setAttribute(Qt::WA_TransparentForMouseEvents);
  made->setTextFormat(Qt::PlainText);
  made->hide();
  return made;
}

void ViewOverlays::show(QLabel* label, const QString& text) {
  if (text == label->text() && label->isHidden() == text.isEmpty()) return;
  label->setText(text);
  label->setVisible(!text.isEmpty());
  place(hoverLeft_);
}

void ViewOverlays::setBadge(const QString& text) { show(badge_, text); }
void ViewOverlays::setHover(const QString& text) { show(hover_, text); }
void ViewOverlays::setKey(const QString& text) {
  if (text != key_->text()) keyPlace_.reset();
  show(key_, text);
}

void ViewOverlays::setDark(bool dark) {
  const QString pill = QStringLiteral(
                           "QLabel { background: %1; color: %2; border: 1px solid %3; "
                           "border-radius: 6px; padding: 4px 9px; }")
                           .arg(dark ? QStringLiteral("rgba(24,30,38,225)")
                                     : QStringLiteral("rgba(255,255,255,230)"),
                                dark ? QStringLiteral("#dde3ea") : QStringLiteral("#1b2430"),
                                dark ? QStringLiteral("#3a4452") : QStringLiteral("#d3d9e1"));
  hover_->setStyleSheet(pill);
  key_->setStyleSheet(pill);
  place(hoverLeft_);
}

QRect ViewOverlays::keyGeometry() const { return key_->isHidden() ? QRect() : key_->geometry(); }

void ViewOverlays::placeKey(const QPoint& topLeft) {
  if (keyPlace_ == topLeft) return;
  keyPlace_ = topLeft;
  place(hoverLeft_);
}

void ViewOverlays::place(int hoverLeft) {
  hoverLeft_ = hoverLeft;
  const int width = canvas_->width();
  fitInto(*badge_, width - 2 * kMargin);
  badge_->move((width - badge_->width()) / 2, kMargin);
  key_->adjustSize();
  key_->move(keyPlace_.value_or(QPoint(width - key_->width() - kMargin, kMargin)));
  fitInto(*hover_, width - hoverLeft_ - kMargin);
  hover_->move(hoverLeft_, kMargin);
  if (!key_->isHidden() && hover_->geometry().intersects(key_->geometry()))
    hover_->move(hoverLeft_, key_->geometry().bottom() + kMargin / 2);
}

}  // namespace clusterloom
