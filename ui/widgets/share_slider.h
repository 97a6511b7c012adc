#pragma once

#include "ui/session/display_state.h"
#include "ui/widgets/spoken_slider.h"

namespace clusterloom {

class Session;

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
