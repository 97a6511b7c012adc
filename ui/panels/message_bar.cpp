#include "ui/panels/message_bar.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/data_words.h"
#include "ui/widgets/form.h"

namespace clusterloom {

namespace {
constexpr int kPassingMilliseconds = 6000;
constexpr int kBarMargin = 8;  // to the edges of the parent
}  // namespace

MessageBar::MessageBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("messageBar"));
  setAccessibleName(tr("Message"));
  icon_ = new QLabel(this);
  label_ = named("messageText", new QLabel(this));
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  action_ = named("messageAction", new QPushButton(this));
  close_ = named("flat", new QToolButton(this), tr("Hide message"));
  close_->setIcon(themedIcon(QStringLiteral("cancel")));
  close_->setToolTip(tr("Hide this message (Esc)"));

  auto* layout = spaced(new QHBoxLayout(this), {12, 7, 8, 7}, 10);
  layout->addWidget(icon_, 0, Qt::AlignTop);
  layout->addWidget(label_, 1);
  layout->addWidget(action_);
  layout->addWidget(close_);

  passing_ = new QTimer(this);
  passing_->setSingleShot(true);
  connect(passing_, &QTimer::timeout, this, &QWidget::hide);
  connect(close_, &QToolButton::clicked, this, &QWidget::hide);
  connect(action_, &QPushButton::clicked, this, [this] {
    const auto run = std::exchange(run_, {});
    hide();
    if (run) run();
  });
  if (parent != nullptr) parent->installEventFilter(this);
  hide();
}

void MessageBar::showMessage(Kind kind, const QString& text, const QString& actionText,
                             std::function<void()> action) {
  passing_->stop();
  kind_ = kind;
  run_ = std::move(action);
  label_->setText(cutForDisplay(text));
  const char* name = kind == Kind::Error ? "error" : kind == Kind::Warning ? "warning" : "info";
  icon_->setPixmap(themedIcon(QLatin1String(name)).pixmap(QSize(18, 18), devicePixelRatioF()));
  action_->setVisible(!actionText.isEmpty());
  action_->setText(actionText);
  show();
  place();
  update();
  // A screen reader speaks the message together with its button.
  for (QWidget* button : {static_cast<QWidget*>(action_), static_cast<QWidget*>(close_)})
    button->setAccessibleDescription(label_->text());
  Q_EMIT messageShown(kind, label_->text());
}

void MessageBar::showPassing(const QString& text) {
  showMessage(Kind::Information, text);
  passing_->start(kPassingMilliseconds);
}

void MessageBar::setPlacement(std::function<QPoint(const QSize&)> placement) {
  placement_ = std::move(placement);
  place();
}

bool MessageBar::takeFocus() {
  if (isHidden()) return false;
  QWidget* const focus = QApplication::focusWidget();
  if (focus != nullptr && !isAncestorOf(focus)) before_ = focus;
  QWidget* const button = action_->isHidden() ? static_cast<QWidget*>(close_) : action_;
  button->setFocus(Qt::ShortcutFocusReason);
  return true;
}

void MessageBar::setVisible(bool visible) {
  if (!visible) giveFocusBack();
  QWidget::setVisible(visible);
}

/// Or Qt would pass it on to any widget, which a screen reader then reads.
void MessageBar::giveFocusBack() {
  QWidget* const before = before_.data();
  before_.clear();
  if (before != nullptr && before->isVisible() && isAncestorOf(QApplication::focusWidget()))
    before->setFocus(Qt::OtherFocusReason);
}

void MessageBar::dismissPassing() {
  if (passing_->isActive()) hide();
}

void MessageBar::dismiss(Kind kind) {
  if (kind_ == kind) hide();
}

QString MessageBar::text() const { return label_->text(); }

void MessageBar::paintEvent(QPaintEvent*) {
  const ThemeColours& colours = themeColours(palette());
  const QColor fill = kind_ == Kind::Error     ? colours.errorFill
                      : kind_ == Kind::Warning ? colours.warningFill
                                               : colours.infoFill;
  const QColor edge = kind_ == Kind::Error     ? colours.error
                      : kind_ == Kind::Warning ? colours.warning
                                               : colours.accent;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(edge);
  painter.setBrush(fill);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

void MessageBar::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  place();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent() && event->type() == QEvent::Resize) place();
  return QWidget::eventFilter(watched, event);
}

void MessageBar::place() {
  if (parentWidget() == nullptr || isHidden()) return;
  const QRect space =
      parentWidget()->rect().adjusted(kBarMargin, kBarMargin, -kBarMargin, -kBarMargin);
  int width = space.width();
  if (placement_) {
    constexpr int kRounding = 4;  // or the label would wrap its last word
    const int text = label_->fontMetrics().size(0, label_->text()).width() + kRounding;
    width = std::min(width, layout()->sizeHint().width() - label_->sizeHint().width() + text);
  }
  const int height = std::min(layout()->heightForWidth(width), space.height());
  QRect bar(space.left(), space.bottom() + 1 - height, width, height);
  if (placement_) {
    bar.moveTo(placement_(bar.size()));
    bar.moveTo(std::clamp(bar.left(), space.left(), space.right() + 1 - bar.width()),
               std::clamp(bar.top(), space.top(), space.bottom() + 1 - bar.height()));
  }
  setGeometry(bar);
  raise();
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  QWidget::keyPressEvent(event);
}

}  // namespace clusterloom
