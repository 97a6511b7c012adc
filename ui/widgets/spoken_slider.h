#pragma once

#include <QSlider>
#include <functional>

namespace clusterloom {

/// A slider whose positions stand for values of another range: assistive technology is told the
/// values, so that a screen reader speaks an ε and not a number of pixels.
class SpokenSlider : public QSlider {
  Q_OBJECT

 public:
  struct Values {
    double now = 0, least = 0, most = 0;
    double step = 0;  ///< of the last digit that counts: speech has as many decimals
  };

  /// Without `values` those of QSlider are told.
  explicit SpokenSlider(QWidget* parent = nullptr);

  std::function<Values()> values;
  /// Takes a value that assistive technology sets.
  std::function<void(double)> take;
};

}  // namespace clusterloom
