#include "ui/widgets/spoken_slider.h"

#include <QAccessibleWidget>
#include <QHash>

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

}  // namespace clusterloom
