#pragma once

#include <QDoubleSpinBox>

namespace clusterloom {

/// A field for a number in which a point and a comma are both the decimal sign, as in typedNumber.
/// QDoubleSpinBox would ignore the one that separates groups of digits: 1.5 would be 15 in German.
class RealSpinBox : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;

  QValidator::State validate(QString& text, int& position) const override {
    for (const char sign : {'.', ','}) text.replace(QLatin1Char(sign), locale().decimalPoint());
    return QDoubleSpinBox::validate(text, position);
  }
};

}  // namespace clusterloom
