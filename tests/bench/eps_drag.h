#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "ui/session/cluster_run.h"
#include "ui/session/session.h"

/// What the two heartbeat benchmarks share: their command line and the simulated drag of ε.
namespace clusterloom {

/// [POINTS [SECONDS [KIND [DIMS]]]]
struct HeartbeatCall {
  GeneratorSpec spec;
  double seconds;
};

inline HeartbeatCall heartbeatCall(int argc, char** argv) {
  const auto argument = [&](int i, const char* standard) { return argc > i ? argv[i] : standard; };
  return {{argument(3, "blobs"), std::size_t(std::atoll(argument(1, "1000000"))),
           std::size_t(std::atoll(argument(4, "3"))), 7},
          std::atof(argument(2, "10"))};
}

inline void waitFor(const std::function<bool()>& holds) {
  QTimer beat;  // with a time limit instead, Qt does not wait, and the loop would take a processor
  beat.start(5);
  while (!holds()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

struct EpsDrag {
  int moves = 0;
  int previews = 0;
  int results = 0;  ///< exact ones
  double firstPreviewMs = -1;
};

/// Drags ε 30 times a second for `seconds`, as the slider does: back and forth between half and
/// twice what it is, with a rest each second so that exact runs come in. Then waits until
/// `settled`.
inline EpsDrag dragEps(Session& session, double seconds, const std::function<bool()>& settled) {
  EpsDrag drag;
  const double start = session.parameters().dbscan.eps;
  QElapsedTimer sinceMove;
  QTimer hand;
  hand.setTimerType(Qt::PreciseTimer);
  QObject::connect(&session.clusterRun(), &ClusterRun::previewChanged, &hand, [&] {
    if (!session.clusterRun().preview()) return;
    ++drag.previews;
    if (drag.firstPreviewMs < 0) drag.firstPreviewMs = double(sinceMove.nsecsElapsed()) / 1e6;
  });
  QObject::connect(&session.clusterRun(), &ClusterRun::resultChanged, &hand,
                   [&] { drag.results += session.clusterRun().result() != nullptr; });
  QObject::connect(&hand, &QTimer::timeout, &hand, [&] {
    if (drag.moves == 0) sinceMove.start();
    ++drag.moves;
    if (drag.moves % 30 < 20) session.setEps(start * std::exp2(std::sin(0.05 * drag.moves)));
  });
  session.setDragging(true);
  hand.start(33);
  QElapsedTimer clock;
  clock.start();
  waitFor([&] { return double(clock.elapsed()) > 1000 * seconds; });
  hand.stop();
  session.setDragging(false);
  waitFor(settled);
  return drag;
}

}  // namespace clusterloom
