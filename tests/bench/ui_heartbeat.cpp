// The longest time for which the event loop is blocked while ε is dragged over a large cloud,
// outside the GL driver: the session with the cluster table and the runs table on it, a timer that
// should fire every 2 ms, and ε changed 30 times a second. Prints one JSON object; exits 1 when a
// gap is longer than 50 ms.
//
//   ui_heartbeat [POINTS [SECONDS [KIND [DIMS]]]]      default: 1000000 10 blobs 3
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/bench/eps_drag.h"
#include "tests/ui/event_watch.h"
#include "ui/models/cluster_table_model.h"
#include "ui/models/runs_model.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

using namespace clusterloom;

namespace {

constexpr int kBeatMs = 2;
constexpr double kLongestGapMs = 50;

/// Milliseconds by which each beat came later than its turn.
class Heartbeat {
 public:
  Heartbeat() {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(kBeatMs);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] {
      late_.push_back(std::max(0.0, double(since_.nsecsElapsed()) / 1e6 - kBeatMs));
      since_.restart();
    });
  }
  void start() {
    late_.clear();
    since_.start();
    timer_.start();
  }
  std::vector<double> stop() {
    timer_.stop();
    std::sort(late_.begin(), late_.end());
    return late_;
  }

 private:
  QTimer timer_;
  QElapsedTimer since_;
  std::vector<double> late_;
};

double quantile(const std::vector<double>& sorted, double q) {
  return sorted.empty() ? 0 : sorted[std::size_t(q * double(sorted.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  WatchedApplication application(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  const auto [spec, seconds] = heartbeatCall(argc, argv);

  const QTemporaryDir directory;
  Session session(nullptr, directory.path());
  ClusterTableModel table;
  ClusterTableProxy proxy;
  proxy.setSourceModel(&table);
  proxy.sort(ClusterTableModel::Size, Qt::DescendingOrder);
  RunsModel runs;
  const auto fill = [&] {
    QStringList names;
    if (session.data().dataset())
      for (const std::string& name : session.data().dataset()->cloud.names)
        names << QString::fromStdString(name);
    table.setResult(session.clusterRun().result(), session.derived().statistics(), names);
  };
  QObject::connect(&session.clusterRun(), &ClusterRun::resultChanged, fill);
  QObject::connect(&session.derived(), &DerivedResults::statisticsChanged, fill);
  QObject::connect(&session.clusterRun(), &ClusterRun::runsChanged,
                   [&] { runs.setRuns(session.clusterRun().runs()); });
  session.derived().setSweepWanted(true);

  // Opening counts too: it is what users do first.
  Heartbeat heart;
  heart.start();
  session.data().openSample(spec);
  waitFor([&] { return session.clusterRun().isResultCurrent(); });
  const std::vector<double> opening = heart.stop();

  heart.start();
  const EpsDrag drag =
      dragEps(session, seconds, [&] { return session.clusterRun().isResultCurrent(); });
  const std::vector<double> dragging = heart.stop();

  std::printf(
      "{\"points\": %zu, \"dims\": %zu, \"kind\": \"%s\", \"moves\": %d, \"previews\": %d, "
      "\"first_preview_ms\": %.1f, \"exact_results\": %d, \"opening_longest_gap_ms\": %.1f, "
      "\"dragging\": {\"beats\": %zu, \"median_gap_ms\": %.2f, \"p99_gap_ms\": %.1f, "
      "\"longest_gap_ms\": %.1f, \"longest_handler_cpu_ms\": %.1f}}\n",
      spec.points, spec.dims, spec.kind.c_str(), drag.moves, drag.previews, drag.firstPreviewMs,
      drag.results, opening.empty() ? 0 : opening.back(), dragging.size(), quantile(dragging, 0.5),
      quantile(dragging, 0.99), dragging.empty() ? 0 : dragging.back(), application.longestMs());
  return !dragging.empty() && dragging.back() <= kLongestGapMs ? 0 : 1;
}
