#pragma once

#include <QElapsedTimer>
#include <algorithm>

namespace clusterloom {

/// Maps the time since a start to a share of a range that takes `seconds()` in all: the clock of
/// everything that plays.
class PlayClock {
 public:
  /// Seconds that the whole range takes, > 0.
  double seconds() const { return seconds_; }
  /// Changes the speed from `share` on.
  void setSeconds(double seconds, double share) {
    seconds_ = std::max(seconds, kLeastSeconds);
    start(share);
  }
  /// Starts at this share.
  void start(double share) {
    start_ = share;
    clock_.start();
  }
  /// The current share, at most 1.
  double share() const { return shareAfter(start_, clock_.elapsed(), seconds_); }

  static double shareAfter(double start, qint64 milliseconds, double seconds) {
    return std::min(1.0, start + static_cast<double>(milliseconds) / (1000 * seconds));
  }

 private:
  static constexpr double kLeastSeconds = 0.5;
  QElapsedTimer clock_;
  double seconds_ = 10;
  double start_ = 0;
};

}  // namespace clusterloom
