#include "ui/widgets/spoken_slider.h"

#include <QAccessibleWidget>
#include <QHash>
#include <cmath>

#include "ui/session/session.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
/// The text that Orca speaks instead of a number from 1 on, which it would round to a whole number.
class ValueWords : public QAccessibleAttributesInterface {
 public:
  explicit ValueWords(const QAccessibleValueInterface& value) : value_(value) {}
  QList<QAccessible::Attribute> attributeKeys() const override {
    return {QAccessible::Attribute::Custom};
  }
  QVariant attributeValue(QAccessible::Attribute key) const override {
    if (key != QAccessible::Attribute::Custom) return {};
    const double value = value_.currentValue().toDouble();
    return QVariant::fromValue(
        QHash<QString, QString>{{QStringLiteral("valuetext"), shortestText(value)}});
  }

 private:
  const QAccessibleValueInterface& value_;
};
#endif

class AccessibleSpokenSlider : public QAccessibleWidget, public QAccessibleValueInterface {
 public:
  explicit AccessibleSpokenSlider(SpokenSlider* slider)
      : QAccessibleWidget(slider, QAccessible::Slider), slider_(slider) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    if (type == QAccessible::AttributesInterface && slider_->values)
      return static_cast<QAccessibleAttributesInterface*>(&words_);
#endif
    return QAccessibleWidget::interface_cast(type);
  }
  QVariant currentValue() const override { return values().now; }
  QVariant minimumValue() const override { return values().least; }
  QVariant maximumValue() const override { return values().most; }
  QVariant minimumStepSize() const override { return values().step; }
  void setCurrentValue(const QVariant& value) override {
    if (slider_->take)
      slider_->take(value.toDouble());
    else
      slider_->setValue(value.toInt());
  }

 private:
  SpokenSlider::Values values() const {
    if (slider_->values) return slider_->values();
    return {double(slider_->value()), double(slider_->minimum()), double(slider_->maximum()),
            double(slider_->singleStep())};
  }
  SpokenSlider* slider_;
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
  ValueWords words_{*this};
#endif
};

QAccessibleInterface* makeAccessibleSlider(const QString&, QObject* object) {
  auto* slider = qobject_cast<SpokenSlider*>(object);
  return slider != nullptr ? new AccessibleSpokenSlider(slider) : nullptr;
}

}  // namespace

SpokenSlider::SpokenSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  static const bool installed = [] {
    QAccessible::installFactory(makeAccessibleSlider);
    return true;
  }();
  static_cast<void>(installed);
}

ShareSlider::ShareSlider(Session& session, double DisplayState::*share, int least, QWidget* parent)
    : SpokenSlider(parent), session_(session), share_(share) {
  // Of 100, or a screen reader computes how far it is from the least.
  values = [this] { return Values{double(value()), 0, 100, 1}; };
  setRange(least, 100);
  connect(this, &QSlider::valueChanged, this, [this](int percent) {
    if (showing_) return;
    DisplayState display = session_.display();
    display.*share_ = percent / 100.0;
    session_.setDisplay(display);
  });
  connect(&session_, &Session::displayChanged, this, &ShareSlider::showShare);
  showShare();
}

void ShareSlider::showShare() {
  showing_ = true;
  setValue(int(std::lround(100 * session_.display().*share_)));
  showing_ = false;
}

}  // namespace clusterloom
