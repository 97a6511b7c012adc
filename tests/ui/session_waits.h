#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>
#include <functional>

#include "ui/session/cluster_run.h"
#include "ui/session/session.h"

// What tests of the session wait for. Each returns false when it did not come in time.

inline bool waitUntil(const std::function<bool()>& holds, int ms = 60000) {
  QElapsedTimer timer;
  timer.start();
  while (!holds()) {
    if (timer.elapsed() > ms) return false;
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    // Leaves the processor to the workers and to other tests: waiting would take all of a core.
    QThread::msleep(1);
  }
  return true;
}

/// The exact result of the parameters as they are.
inline bool waitForResult(const clusterloom::Session& session) {
  return waitUntil([&] { return session.clusterRun().isResultCurrent(); });
}

/// Nothing waits or runs any more.
inline bool waitUntilIdle(clusterloom::Session& session) {
  return waitUntil([&] { return session.jobs().active().empty(); });
}
