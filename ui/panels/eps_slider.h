#pragma once

#include <QSlider>
#include <QWidget>
#include <vector>

#include "engine/dbscan/k_distance.h"

class QLineEdit;

namespace clusterloom {

/// ε on a logarithmic slider over a range taken from the data, below a box for the exact value.
/// The box accepts any positive number, also outside the slider's range. Slider positions are
/// rounded to four significant digits, the box is taken as written.
///
/// Keyboard: on the slider arrows step by about 1 %, Page Up and Down by a quarter, Home and End go
/// to the ends; in the box Up and Down step by about 1 %, Return takes the value, Escape gives the
/// old one back.
class EpsSlider : public QWidget {
  Q_OBJECT

 public:
  explicit EpsSlider(QWidget* parent = nullptr);

  double value() const { return value_; }
  /// Shows a value that came from elsewhere; emits nothing.
  void setValue(double eps);
  /// Emits nothing and keeps the value. Low and high positive, low < high.
  void setRange(const EpsRange& range);
  /// A mark on the slider, such as the knee of the k-distance plot; 0: none.
  void setMark(double eps);

  QSlider* slider() const;
  QLineEdit* box() const { return box_; }

 Q_SIGNALS:
  /// The hand took the handle; `dragging` follows for each value and `settled` when it lets go.
  void dragStarted();
  void dragging(double eps);
  /// A value to keep: the handle was let go, a key pressed or a number entered.
  void settled(double eps);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class MarkedSlider;
  int positionOf(double eps) const;
  double valueAt(int position) const;
  void takeFromSlider(int position);
  void takeFromBox();
  void stepBy(int steps);
  void showInBox();

  EpsRange range_{0.001, 10};
  double value_ = 0.5;
  bool pressed_ = false;
  MarkedSlider* slider_;
  QLineEdit* box_;
};

/// `value` rounded to `digits` significant digits.
double roundedTo(double value, int digits);

/// The shortest text that reads back to the same double, in the C locale.
QString shortestText(double value);

}  // namespace clusterloom
