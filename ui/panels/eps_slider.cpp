#include "ui/panels/eps_slider.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QVBoxLayout>
#include <QVariant>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/cloud/directions.h"
#include "render/paint/ticks.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {
// Fine enough that the largest range still has steps below 1.5 %.
constexpr int kPositions = 2000;
constexpr double kStep = 1.01;
constexpr int kAngleDigits = 3;
}  // namespace

/// A slider with a small tick at the suggested value.
class EpsSlider::MarkedSlider : public SpokenSlider {
 public:
  using SpokenSlider::SpokenSlider;
  int mark = -1;

 protected:
  void paintEvent(QPaintEvent* event) override {
    QSlider::paintEvent(event);
    if (mark < 0) return;
    QStyleOptionSlider option;
    initStyleOption(&option);
    const int handle = style()->pixelMetric(QStyle::PM_SliderLength, &option, this);
    const int x =
        handle / 2 + QStyle::sliderPositionFromValue(minimum(), maximum(), mark, width() - handle);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColours(palette()).good);
    const qreal bottom = height() - 0.5;
    painter.drawPolygon(QPolygonF({{x - 3.5, bottom}, {x + 3.5, bottom}, {qreal(x), bottom - 5}}));
  }
};

EpsSlider::EpsSlider(QWidget* parent) : QWidget(parent) {
  // Tab goes in the order in which they are made. An order set here does not hold with Qt 6.8: Tab
  // went past the slider.
  box_ = named("epsBox", new QLineEdit(this), tr("ε, exact value"));
  slider_ = named("epsSlider", new MarkedSlider(this), tr("ε, logarithmic slider"));
  slider_->setRange(0, kPositions);
  slider_->setSingleStep(4);
  slider_->setPageStep(100);
  slider_->values = [this] { return spokenValues(); };
  slider_->take = [this](double eps) { slider_->setValue(positionOf(eps)); };
  slider_->setToolTip(tr(
      "ε: the distance within which two points are neighbours. The green mark is the knee of the "
      "k-distance plot."));
  box_->installEventFilter(this);
  slider_->installEventFilter(this);
  slider_->setFocusPolicy(Qt::StrongFocus);

  angle_ = named("epsAngle", new QLabel(this));
  angle_->setProperty("role", "muted");
  angle_->setToolTip(
      tr("The angle between two points at this cosine distance, which is 1 − cos of the angle"));

  auto* label = new QLabel(tr("&ε"), this);
  label->setToolTip(slider_->toolTip());
  label->setBuddy(box_);
  auto* first = new QHBoxLayout;
  first->setSpacing(10);
  first->addWidget(label);
  first->addWidget(box_, 1);
  first->addWidget(angle_);
  auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 4);
  layout->addLayout(first);
  layout->addWidget(slider_);

  connect(slider_, &QSlider::sliderPressed, this, [this] {
    pressed_ = true;
    Q_EMIT dragStarted();
  });
  connect(slider_, &QSlider::sliderReleased, this, [this] {
    if (std::exchange(pressed_, false)) Q_EMIT settled(value_);
  });
  connect(slider_, &QSlider::valueChanged, this, &EpsSlider::takeFromSlider);
  connect(box_, &QLineEdit::editingFinished, this, &EpsSlider::takeFromBox);
  connect(box_, &QLineEdit::returnPressed, this, [this] {
    const Taken taken = takeFromBox();
    if (taken != Taken::Nothing) box_->selectAll();
    if (taken == Taken::Unchanged) Q_EMIT confirmed();
  });
  passShortcuts(box_, [this] { return box_->isModified(); });
  connect(box_, &QLineEdit::textEdited, this, [this] { restyle(box_, "wrong", false); });
  setCosine(false);
  setValue(value_);
}

QSlider* EpsSlider::slider() const { return slider_; }

int EpsSlider::positionOf(double eps) const {
  if (!(eps > 0)) return 0;
  const double fraction = std::log(eps / range_.low) / std::log(range_.high / range_.low);
  return int(std::lround(std::clamp(fraction, 0.0, 1.0) * kPositions));
}

double EpsSlider::valueAt(double position) const {
  const double fraction = std::clamp(position / kPositions, 0.0, 1.0);
  return range_.low * std::pow(range_.high / range_.low, fraction);
}

double EpsSlider::roundedAt(int position) const {
  if (position <= 0 || position >= kPositions)  // the ends are reached, as nearly as is readable
    return std::clamp(roundedTo(valueAt(position), 4), range_.low, range_.high);
  // The mouse moves by pixels, of which each covers several positions; the keyboard by positions.
  const double perPixel = double(kPositions) / std::max(1, slider_->width());
  const double half = 0.5 * (pressed_ ? std::max(1.0, perPixel) : 1.0);
  return std::clamp(roundestWithin(valueAt(position - half), valueAt(position + half)), range_.low,
                    range_.high);
}

SpokenSlider::Values EpsSlider::spokenValues() const {
  // The slider may be ahead of the value by the change that is being told.
  const int position = slider_->value();
  const double eps = position == positionOf(value_) ? value_ : roundedAt(position);
  const QString digits = QString::number(eps, 'f', QLocale::FloatingPointShortest);
  const qsizetype sign = digits.indexOf(QLatin1Char('.'));
  const double decimals = sign < 0 ? 0 : double(digits.size() - sign - 1);
  return {eps, range_.low, range_.high, std::pow(10, -decimals)};
}

void EpsSlider::releaseHandle() {
  const QPointF at = slider_->rect().center();
  QMouseEvent release(QEvent::MouseButtonRelease, at, slider_->mapToGlobal(at), Qt::LeftButton,
                      Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(slider_, &release);
}

void EpsSlider::abandonDrag() {
  if (std::exchange(pressed_, false)) releaseHandle();
}

void EpsSlider::hideEvent(QHideEvent* event) {
  // The release of the button does not reach a hidden slider.
  if (pressed_) releaseHandle();
  QWidget::hideEvent(event);
}

void EpsSlider::setPending(bool pending, bool sought) {
  box_->setPlaceholderText(!pending ? QString()
                           : sought ? tr("looking for a suitable ε…")
                                    : tr("no ε yet"));
  if (std::exchange(pending_, pending) != pending) showInBox();
}

void EpsSlider::setValue(double eps) {
  value_ = eps;
  const QSignalBlocker block(slider_);
  if (!pressed_) slider_->setValue(positionOf(eps));
  showInBox();
}

void EpsSlider::setRange(const EpsRange& range) {
  range_ = range;
  const QSignalBlocker block(slider_);
  slider_->setValue(positionOf(value_));
}

void EpsSlider::setCosine(bool cosine) {
  cosine_ = cosine;
  box_->setToolTip(cosine ? tr("The exact ε: 1 − cos of the angle between two points, from 0 to 2")
                          : tr("The exact ε, in the units of the (scaled) coordinates"));
  showAngle();
}

void EpsSlider::setDescription(const QString& text) {
  description_ = text;
  showAngle();
}

void EpsSlider::showAngle() {
  const bool shown = cosine_ && !pending_;
  const QString angle =
      shown ? significant(angleOfCosine(value_), kAngleDigits) + QStringLiteral("°") : QString();
  angle_->setVisible(shown);
  angle_->setText(shown ? QStringLiteral("= ") + angle : QString());
  QStringList parts;
  if (shown) parts << tr("an angle of %1").arg(angle);
  if (!description_.isEmpty()) parts << description_;
  box_->setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

void EpsSlider::setMark(double eps) {
  slider_->mark = eps > 0 ? positionOf(eps) : -1;
  slider_->update();
}

void EpsSlider::showInBox() {
  showAngle();
  // A result that arrives must not replace text that is being edited.
  if (box_->hasFocus() && box_->isModified()) return;
  if (!pending_) box_->setPlaceholderText({});
  const bool selected = box_->hasFocus() && box_->hasSelectedText();
  box_->setText(pending_ ? QString() : shortestText(value_));
  box_->setCursorPosition(0);
  if (selected) box_->selectAll();
  restyle(box_, "wrong", false);
}

void EpsSlider::takeFromSlider(int position) {
  value_ = roundedAt(position);
  box_->setModified(false);
  showInBox();
  if (pressed_) {
    Q_EMIT dragging(value_);
  } else {
    Q_EMIT settled(value_);
  }
}

EpsSlider::Taken EpsSlider::takeFromBox() {
  if (box_->text().trimmed().isEmpty() && pending_) return Taken::Nothing;
  const auto eps = typedNumber(box_->text());
  if (!eps || *eps <= 0) {
    if (!box_->property("wrong").toBool())
      Announcer::ofApplication().say(*this, Announcer::Topic::Error,
                                     tr("ε must be a number above 0"));
    restyle(box_, "wrong", true);
    return Taken::Nothing;
  }
  box_->setModified(false);
  const bool changed = *eps != value_ || pending_;
  pending_ = false;
  setValue(*eps);
  if (changed) Q_EMIT settled(value_);
  return changed ? Taken::Changed : Taken::Unchanged;
}

void EpsSlider::stepBy(int steps) {
  if (pending_) return;  // there is no value to step from
  const double eps = roundedTo(value_ * std::pow(kStep, steps), 4);
  if (eps > 0 && std::isfinite(eps)) {
    box_->setModified(false);
    setValue(eps);
    Q_EMIT settled(eps);
  }
}

bool EpsSlider::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && watched == box_) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) {
      stepBy(key->key() == Qt::Key_Up ? 1 : -1);
      return true;
    }
    if (key->key() == Qt::Key_Escape && box_->isModified()) {
      box_->setModified(false);
      showInBox();
      return true;
    }
  }
  // The wheel over a panel scrolls the panel; it must not change ε by accident.
  if (event->type() == QEvent::Wheel && watched == slider_ && !slider_->hasFocus()) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace clusterloom
