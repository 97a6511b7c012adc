#pragma once

#include <QWidget>

#include "engine/hierarchy/k_distance.h"
#include "ui/widgets/spoken_slider.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

/// ε on a logarithmic slider over a range taken from the data, below a box for the exact value. The
/// box accepts any positive number, also outside the slider's range, and takes it as written.
/// Values set by the mouse are rounded to the resolution of a pixel.
///
/// Keyboard: on the slider arrows step by about 1 %, Page Up and Down by a quarter, Home and End go
/// to the ends; in the box Up and Down step by about 1 %, Return takes the value and selects the
/// text, so that the next number replaces it, Escape restores the old one.
class EpsSlider : public QWidget {
  Q_OBJECT

 public:
  explicit EpsSlider(QWidget* parent = nullptr);

  double value() const { return value_; }
  /// Shows a value that came from elsewhere; emits nothing.
  void setValue(double eps);
  /// Emits nothing and keeps the value. Low and high positive, low < high.
  void setRange(const EpsRange& range);
  /// While pending there is no value yet: the box is empty and says that there is none, or that one
  /// is sought.
  void setPending(bool pending, bool sought);
  /// Whether ε is a cosine distance: the angle stands beside the box then.
  void setCosine(bool cosine);
  /// What is told of the box besides its value: that of a label which Tab does not reach.
  void setDescription(const QString& text);
  /// A mark on the slider, such as the knee of the k-distance plot; 0: none.
  void setMark(double eps);

  /// Ends a drag without settling a value, because the data were replaced.
  void abandonDrag();

  QSlider* slider() const;
  QLineEdit* box() const { return box_; }

 Q_SIGNALS:
  /// The handle was pressed; `dragging` follows for each value and `settled` on release.
  void dragStarted();
  void dragging(double eps);
  /// A value to keep: the handle was released, a key pressed or a number entered.
  void settled(double eps);
  /// Return was pressed on an unchanged value: nothing is `settled`.
  void confirmed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  class MarkedSlider;
  int positionOf(double eps) const;
  double valueAt(double position) const;
  double roundedAt(int position) const;
  SpokenSlider::Values spokenValues() const;
  void takeFromSlider(int position);
  enum class Taken { Nothing, Unchanged, Changed };
  Taken takeFromBox();
  void stepBy(int steps);
  void releaseHandle();
  void showInBox();
  void showAngle();

  EpsRange range_{0.001, 10};
  double value_ = 0.5;
  bool pressed_ = false;
  bool pending_ = false;
  bool cosine_ = false;
  QString description_;
  MarkedSlider* slider_;
  QLineEdit* box_;
  QLabel* angle_;
};

}  // namespace clusterloom
