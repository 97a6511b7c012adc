#include "ui/widgets/share_slider.h"

#include <cmath>

#include "ui/session/session.h"

namespace clusterloom {

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
