#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <algorithm>
#include <ctime>

/// An application that records the longest processor time of any of its events. Unlike a gap
/// between two ticks of a timer this does not depend on other load of the machine. Not for tests
/// that nest event loops in handlers.
class WatchedApplication : public QCoreApplication {
 public:
  using QCoreApplication::QCoreApplication;

  bool notify(QObject* receiver, QEvent* event) override {
    const double before = processorMs();
    const bool handled = QCoreApplication::notify(receiver, event);
    longest_ = std::max(longest_, processorMs() - before);
    return handled;
  }
  void forget() { longest_ = 0; }
  double longestMs() const { return longest_; }

 private:
  static double processorMs() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * double(time.tv_sec) + 1e-6 * double(time.tv_nsec);
  }
  double longest_ = 0;
};
