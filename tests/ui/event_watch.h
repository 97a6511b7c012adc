#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QObject>
#include <algorithm>
#include <cstdio>
#include <string>

#include "engine/core/stopwatch.h"

/// How long an event handler ran: elapsed, and processor time of the thread, which does not depend
/// on other load of the machine.
struct HandlerTime {
  double ms = 0;
  double processorMs = 0;
  /// Of the second longest. On a loaded machine one handler may wait for pages of memory, which is
  /// time of its thread, too; what the program does itself, it does in more than one frame.
  double secondProcessorMs = 0;
  std::string where;  ///< class of the receiver and type of the event
};

/// An application that times every event that Qt delivers, from the outermost handler on. Handlers
/// in which a frame was drawn are kept apart from the others. Not for tests that nest event loops
/// in handlers.
template <class Application>
class Watched : public Application {
 public:
  using Application::Application;

  bool notify(QObject* receiver, QEvent* event) override {
    if (depth_ > 0) return Application::notify(receiver, event);
    ++depth_;
    drew_ = false;
    // The event may be the receiver's last.
    const char* const name = receiver->metaObject()->className();
    const int type = event->type();
    QElapsedTimer clock;
    clock.start();
    const double before = processorMs();
    const bool handled = Application::notify(receiver, event);
    const double processor = processorMs() - before;
    const double elapsed = double(clock.nsecsElapsed()) * 1e-6;
    HandlerTime& longest = drew_ ? drawing_ : other_;
    if (processor > longest.processorMs) {
      char where[160];
      std::snprintf(where, sizeof where, "%s, event %d", name, type);
      longest.where = where;
    }
    longest.secondProcessorMs =
        std::max(longest.secondProcessorMs, std::min(longest.processorMs, processor));
    longest.processorMs = std::max(longest.processorMs, processor);
    longest.ms = std::max(longest.ms, elapsed);
    --depth_;
    return handled;
  }
  /// To be called when a frame has been drawn.
  void noteFrame() { drew_ = true; }
  void forget() { drawing_ = other_ = {}; }
  /// The longest times since `forget` of handlers that drew a frame, and of the others.
  const HandlerTime& drawing() const { return drawing_; }
  const HandlerTime& other() const { return other_; }
  /// The longest processor time of all.
  double longestMs() const { return std::max(drawing_.processorMs, other_.processorMs); }

 private:
  static double processorMs() { return 1e3 * clusterloom::threadSeconds(); }
  int depth_ = 0;
  bool drew_ = false;
  HandlerTime drawing_;
  HandlerTime other_;
};

using WatchedApplication = Watched<QCoreApplication>;
