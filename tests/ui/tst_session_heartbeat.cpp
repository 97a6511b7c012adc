// The event loop of a session with a million points is never blocked: no event takes 50 ms of
// processor time, from opening through dragging ε 30 times a second to closing. (The benchmark
// tests/bench/ui_heartbeat measures the gaps themselves, which a busy machine lengthens.)
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "event_watch.h"
#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/models/cluster_table_model.h"
#include "ui/models/runs_model.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session_data.h"
#include "visible_threads.h"

using namespace clusterloom;

class TestSessionHeartbeat : public QObject {
  Q_OBJECT

 private:
  static WatchedApplication& application() {
    return *static_cast<WatchedApplication*>(QCoreApplication::instance());
  }

 private Q_SLOTS:
  void noEventTakesLong_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("eps");
    QTest::addColumn<bool>("prepared");
    QTest::newRow("blobs") << "blobs" << 0.0 << false;
    QTest::newRow("thousands of clusters") << "unif" << 0.09 << false;
    QTest::newRow("every ε prepared") << "blobs" << 0.0 << true;
  }

  void noEventTakesLong() {
    QFETCH(QString, kind);
    QFETCH(double, eps);
    QFETCH(bool, prepared);
    QTemporaryDir directory;
    Session session(nullptr, directory.path());
    ClusterTableModel table;
    ClusterTableProxy proxy;
    proxy.setSourceModel(&table);
    proxy.sort(ClusterTableModel::Size, Qt::DescendingOrder);
    proxy.setFilterText("size>1");
    RunsModel runs;
    const auto fill = [&] {
      table.setResult(session.clusterRun().result(), session.derived().statistics(), {"x", "y"});
    };
    connect(&session.clusterRun(), &ClusterRun::resultChanged, &table, fill);
    connect(&session.derived(), &DerivedResults::statisticsChanged, &table, fill);
    connect(&session.clusterRun(), &ClusterRun::runsChanged, &runs,
            [&] { runs.setRuns(session.clusterRun().runs()); });
    QSignalSpy previews(&session.clusterRun(), &ClusterRun::previewChanged);

    application().forget();
    OpenRequest request;
    request.sample = GeneratorSpec{kind.toStdString(), 1'000'000 / kSmaller, 2, 3};
    if (eps > 0) request.eps = eps;
    request.minPts = 5;
    session.data().open(request);
    QVERIFY(waitForResult(session));
    if (eps > 0 && kSmaller == 1)
      QVERIFY(session.clusterRun().result()->clustering.clusters > 1000);
    eps = session.parameters().dbscan.eps;
    if (prepared) {
      session.everyEps().setEnabled(true);
      session.everyEps().build();  // however long a busy machine is expected to take
      QVERIFY(
          waitUntil([&] { return session.everyEps().state() == EveryEps::State::Ready; }, 120'000));
    }
    const double opening = application().longestMs();

    application().forget();
    session.setDragging(true);
    for (int i = 0; i < 45; ++i) {
      session.setEps(eps * std::exp2(0.5 * std::sin(0.1 * i)));
      QTest::qWait(33);
    }
    session.setDragging(false);
    QVERIFY(waitForResult(session));
    const double dragging = application().longestMs();

    application().forget();
    session.closeData();
    QVERIFY(waitUntilIdle(session));
    const double closing = application().longestMs();
    qInfo("longest event: opening %.1f ms, dragging %.1f ms, closing %.1f ms; %lld previews",
          opening, dragging, closing, (long long)previews.count());
    QVERIFY(opening < 50);
    QVERIFY(dragging < 50);
    QVERIFY(closing < 50);
  }

  /// Two clouds beside each other: opening the second, comparing, and showing one after the other.
  void noEventTakesLongBetweenClouds() {
    QTemporaryDir directory;
    Session session(nullptr, directory.path());
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 300'000 / kSmaller, 2, 3};
    request.minPts = 5;
    session.data().open(request);
    QVERIFY(waitForResult(session));
    session.everyEps().setEnabled(true);
    session.everyEps().build();  // however long a busy machine is expected to take
    QVERIFY(waitUntil([&] { return session.everyEps().state() == EveryEps::State::Ready; }));
    // Labels that come from the hierarchy, which goes when the other cloud is shown.
    session.setEps(session.parameters().dbscan.eps * 1.1);
    QVERIFY(waitForResult(session) && session.clusterRun().result()->hierarchy);

    application().forget();
    request.sample->seed = 4;
    session.clouds().add(request);
    QVERIFY(waitUntil([&] { return session.clouds().current() == 1; }) && waitForResult(session));
    QVERIFY(waitUntil([&] { return !session.clouds().held()[0].result->hierarchy; }));
    const double adding = application().longestMs();

    application().forget();
    session.cloudComparison().setWanted(true);
    QVERIFY(waitUntil([&] { return session.cloudComparison().isCurrent(); }));
    session.setMinPts(6);
    QVERIFY(waitUntil([&] {
      return session.cloudComparison().isCurrent() && !session.cloudComparison().isRunning() &&
             session.clouds().held()[0].result->parameters.dbscan.minPts == 6;
    }));
    const double comparing = application().longestMs();

    application().forget();
    for (const int index : {0, 1, 0}) {
      session.clouds().show(index);
      QVERIFY(waitUntil([&] { return session.clouds().current() == index; }));
      QVERIFY(waitForResult(session));
    }
    session.clouds().close(1);
    QVERIFY(waitUntil([&] { return session.clouds().count() == 1; }));
    const double showing = application().longestMs();
    session.closeData();
    QVERIFY(waitUntilIdle(session));
    qInfo("longest event: adding %.1f ms, comparing %.1f ms, showing %.1f ms", adding, comparing,
          showing);
    QVERIFY(adding < 50);
    QVERIFY(comparing < 50);
    QVERIFY(showing < 50);
  }
};

namespace {

int run(int argc, char** argv) {
  [[maybe_unused]] const VisibleThreads visibleThreads;
  WatchedApplication application(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  return test_program::run<TestSessionHeartbeat>(argc, argv);
}

}  // namespace

TEST_ENTRY(run);
#include "tst_session_heartbeat.moc"
