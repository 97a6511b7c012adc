#include "ui/panels/spoken_slider.h"

#include <QAccessibleWidget>

namespace clusterloom {

namespace {

class AccessibleSpokenSlider : public QAccessibleWidget, public QAccessibleValueInterface {
 public:
  explicit AccessibleSpokenSlider(SpokenSlider* slider)
      : QAccessibleWidget(slider, QAccessible::Slider), slider_(slider) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
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
