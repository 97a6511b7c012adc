#pragma once

#include <QPushButton>

namespace clusterloom {

class Session;

/// Shows and hides the band of stability in the ε sweep; a long computation is started by a second
/// press, and stopped by another one.
class StabilityButton : public QPushButton {
  Q_OBJECT

 public:
  explicit StabilityButton(Session& session, QWidget* parent = nullptr);

 private:
  void press();
  void showState();

  Session& session_;
};

}  // namespace clusterloom
