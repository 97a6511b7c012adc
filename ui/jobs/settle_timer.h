#pragma once

#include <QTimer>
#include <functional>
#include <utility>

namespace clusterloom {

/// Calls a function once when nothing has started it again for a while.
class SettleTimer : public QTimer {
 public:
  SettleTimer(int milliseconds, std::function<void()> settled) {
    setSingleShot(true);
    setInterval(milliseconds);
    callOnTimeout(this, std::move(settled));
  }
};

}  // namespace clusterloom
