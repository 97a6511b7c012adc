#pragma once

#include <QSlider>
#include <functional>

#include "ui/session/display_state.h"

namespace clusterloom {

class Session;

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

/// A slider of a share in DisplayState, in percent from `least` to 100: it changes the display of
/// the session and follows it.
class ShareSlider : public SpokenSlider {
  Q_OBJECT

 public:
  ShareSlider(Session& session, double DisplayState::*share, int least, QWidget* parent = nullptr);

 private:
  void showShare();

  Session& session_;
  double DisplayState::*share_;
  bool showing_ = false;  ///< a share that differs only by rounding is not written back
};

}  // namespace clusterloom
