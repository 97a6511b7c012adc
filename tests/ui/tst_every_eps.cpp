// The hierarchy in the session and the window: labels at every ε equal to those of runs, colours
// that follow clusters, the tree, the reachability plot, and the clusters of HDBSCAN*.
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <map>
#include <set>

#include "session_waits.h"
#include "shown_window.h"
#include "tests/engine/narrow_memory.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/replay.h"
#include "ui/session/result_words.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/cloud_view.h"
#include "ui/window/frame_series.h"
#include "visible_threads.h"

using namespace clusterloom;

namespace {

OpenRequest blobs(std::uint64_t points, double eps) {
  OpenRequest request;
  request.sample = GeneratorSpec{"blobs", points, 2, 5};
  request.eps = eps;
  request.minPts = 6;
  return request;
}

bool waitForHierarchy(const Session& session) {  // of a million points, beside other tests
  return waitUntil([&] { return session.everyEps().state() == EveryEps::State::Ready; }, 120'000);
}

}  // namespace

class TestEveryEps : public QObject, private ShownWindow {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Session> alone_;

  Session& openAlone(const OpenRequest& request) {
    alone_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
    alone_ = std::make_unique<Session>(nullptr, folder_->path());
    alone_->everyEps().setEnabled(true);
    alone_->data().open(request);
    if (!waitForResult(*alone_)) qFatal("no result");
    return *alone_;
  }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1200, 860})); }
  void cleanup() {
    closeWindow();
    alone_.reset();
    folder_.reset();
  }

  void labelsAreThoseOfRuns() {
    Session& session = openAlone(blobs(4000, 2));
    const auto first = session.clusterRun().result();
    QVERIFY(waitForHierarchy(session));
    QVERIFY(session.clusterRun().result() == first);  // nothing to do again
    const auto backend = makeBackend("cpu", {});
    for (const double eps : {0.3, 0.7, 1.1, 2.5, 6.0, 40.0}) {
      session.setEps(eps);
      QVERIFY(waitForResult(session));
      const auto result = session.clusterRun().result();
      QVERIFY(result->hierarchy);
      QCOMPARE(result->nodes.size(), std::size_t(result->clustering.clusters));
      const auto run = (*backend)->dbscan(*result->cloud, {eps, 6}, {}, {});
      QVERIFY(run.has_value());
      QCOMPARE(result->clustering.labels, run->labels);
      QVERIFY(result->clustering.roles == run->roles);
      QCOMPARE(result->clustering.params.eps, eps);
      QCOMPARE(session.clusterRun().colours()->size(), result->nodes.size());
    }
    // Another strategy is a wish to see it run.
    Strategy unicomp;
    unicomp.pattern = AccessPattern::Unicomp;
    session.setStrategy(unicomp);
    QVERIFY(waitForResult(session));
    QVERIFY(!session.clusterRun().result()->hierarchy);
    session.undoStack()->undo();
    // Another minPts has another hierarchy.
    session.setMinPts(9);
    QVERIFY(session.everyEps().state() != EveryEps::State::Ready);
    QVERIFY(waitForResult(session));
    QVERIFY(!session.clusterRun().result()->hierarchy);
    QVERIFY(waitForHierarchy(session));
    session.setEps(1);
    QVERIFY(waitForResult(session));
    QVERIFY(session.clusterRun().result()->hierarchy);
    QCOMPARE(session.clusterRun().result()->clustering.labels,
             (*backend)->dbscan(*session.data().cloud(), {1, 9}, {}, {})->labels);
    // Switched off, runs compute again.
    session.everyEps().setEnabled(false);
    QVERIFY(session.everyEps().state() == EveryEps::State::Off);
    QVERIFY(!session.everyEps().hierarchy());
    session.setEps(1.5);
    QVERIFY(waitForResult(session));
    QVERIFY(!session.clusterRun().result()->hierarchy);
  }

  void statesSayWhy() {
    Session session(nullptr, directory_->filePath("other"));
    session.everyEps().setEnabled(true);
    QVERIFY(session.everyEps().state() == EveryEps::State::NoCloud);
    OpenRequest request = blobs(300, 2);
    request.minPts = 65;
    session.data().open(request);
    QVERIFY(waitForResult(session));
    QVERIFY(session.everyEps().state() == EveryEps::State::BeyondK);
    // No point is core with minPts 301: a hierarchy without clusters is possible again.
    session.setMinPts(301);
    QVERIFY(waitForHierarchy(session));
    session.setMinPts(64);
    QVERIFY(waitForHierarchy(session));
    session.setMinPts(5);
    QVERIFY(session.everyEps().state() == EveryEps::State::Waiting);
    session.cancel();
    QVERIFY(session.everyEps().state() == EveryEps::State::Stopped);
    session.everyEps().build();
    QVERIFY(waitForHierarchy(session));
    session.closeData();
    QVERIFY(session.everyEps().state() == EveryEps::State::NoCloud);
    QVERIFY(!session.everyEps().hierarchy());
  }

  /// What does not fit into memory is refused before it starts, also when a person asks for it.
  void runsBeyondMemoryAreRefused() {
    if (kSmaller > 1) QSKIP("too slow under ThreadSanitizer");
    OpenRequest request = blobs(1'000'000, 0.2);
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_, 60000));
    QVERIFY(waitUntilIdle(*session_));
    EveryEps& every = session_->everyEps();
    auto* prepare = window_->findChild<QPushButton*>("prepareButton");
    auto* state = window_->findChild<QLabel*>("everyEpsState");
    QVERIFY(prepare && state);
    {
      const NarrowMemory narrow(std::uint64_t{160} << 20);
      every.setEnabled(true);
      QVERIFY(waitUntil([&] { return every.state() == EveryEps::State::TooLarge; }));
      QVERIFY(!every.forecast().fits());
      QVERIFY(every.forecast().bytes > 200'000'000);
      every.build();
      QVERIFY(waitUntil([&] { return !session_->jobs().isActive(JobKind::Hierarchy); }));
      QVERIFY(every.state() == EveryEps::State::TooLarge);
      QCOMPARE(state->text(), QString("too large for the memory"));
      QVERIFY2(state->toolTip().contains("of memory, and"), qPrintable(state->toolTip()));
      QTRY_VERIFY_WITH_TIMEOUT(
          state->width() >= state->fontMetrics().horizontalAdvance(state->text()), 60000);
      shot(window_.get(), "too_large");
    }
    QVERIFY(prepare->isVisible());
    QTest::mouseClick(prepare, Qt::LeftButton);
    QVERIFY(waitForHierarchy(*session_));
  }

  /// While ε is dragged every frame is exact and clusters keep their colours.
  void draggingShowsExactClusters() {
    Session& session = openAlone(blobs(60000, 0.4));
    QVERIFY(waitForHierarchy(session));
    QSignalSpy previews(&session.clusterRun(), &ClusterRun::previewChanged);
    const auto backend = makeBackend("cpu", {});
    session.setDragging(true);
    std::vector<std::int32_t> before = session.clusterRun().result()->clustering.labels;
    auto rolesBefore = session.clusterRun().result()->clustering.roles;
    std::vector<std::int32_t> coloursBefore;
    int followed = 0;
    for (int i = 1; i <= 12; ++i) {
      const double eps = 0.4 * std::pow(1.15, i);
      session.setEps(eps);
      QVERIFY(waitForResult(session));
      const auto result = session.clusterRun().result();
      QVERIFY(result->hierarchy);
      QVERIFY(session.clusterRun().colours());
      const std::vector<std::int32_t>& colours = *session.clusterRun().colours();
      QCOMPARE(colours.size(), std::size_t(result->clustering.clusters));
      QCOMPARE(std::set<std::int32_t>(colours.begin(), colours.end()).size(), colours.size());
      // A cluster that had most of the core points of one now gives it its colour.
      const auto& labels = result->clustering.labels;
      std::map<std::int32_t, std::map<std::int32_t, int>> common;
      std::map<std::int32_t, int> core;
      for (std::size_t p = 0; p < labels.size(); ++p) {
        if (result->clustering.roles[p] == PointRole::Core) ++core[labels[p]];
        if (rolesBefore[p] == PointRole::Core) ++common[labels[p]][before[p]];
      }
      for (const auto& [now, parts] : common) {
        const auto largest =
            std::max_element(parts.begin(), parts.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        if (2 * largest->second <= core[now]) continue;
        const std::int32_t was =
            coloursBefore.empty() ? largest->first : coloursBefore[std::size_t(largest->first)];
        QCOMPARE(colours[std::size_t(now)], was);
        ++followed;
      }
      before = labels;
      rolesBefore = result->clustering.roles;
      coloursBefore = colours;
    }
    QVERIFY(followed > 12);
    const auto last = session.clusterRun().result();
    session.setDragging(false);
    QVERIFY(session.clusterRun().result() == last);
    QCOMPARE(previews.count(), 0);
    const auto run = (*backend)->dbscan(*last->cloud, last->parameters.dbscan, {}, {});
    QCOMPARE(last->clustering.labels, run->labels);
  }

  void windowSaysWhatItPrepares() {
    auto* panel = window_->findChild<ParametersPanel*>();
    QVERIFY(!panel->everyEps()->isChecked());
    QVERIFY(openSquares());
    QCOMPARE(panel->everyEpsState()->text(), QString());
    QTest::mouseClick(panel->everyEps(), Qt::LeftButton, {}, {8, panel->everyEps()->height() / 2});
    QVERIFY(session_->everyEps().isEnabled());
    QVERIFY(waitForHierarchy(*session_));
    QCOMPARE(panel->everyEpsState()->text(), QString("exact at every ε"));
    QVERIFY(!panel->prepareButton()->isVisible());
    session_->setEps(2.5);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(window_->findChild<QLabel*>("summary")->text().contains("every ε prepared"));
    shot(window_.get(), "every_eps_ready");
    session_->setMinPts(7);
    session_->cancel();
    QCOMPARE(panel->everyEpsState()->text(), QString("stopped"));
    QVERIFY(panel->prepareButton()->isVisible());
    QTest::mouseClick(panel->prepareButton(), Qt::LeftButton);
    QVERIFY(waitForHierarchy(*session_));
    // A chart that needs it names the button, also where runs do not use it.
    window_->charts()->showTab(ChartId::Tree);
    session_->everyEps().setEnabled(false);
    session_->setMinPts(9);
    session_->cancel();
    QVERIFY(waitUntil([&] { return session_->everyEps().state() == EveryEps::State::Stopped; }));
    QVERIFY(panel->prepareButton()->isVisible());
    QTest::mouseClick(panel->prepareButton(), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    QVERIFY(!panel->prepareButton()->isVisible());
  }

  void adviceInWords() {
    window_->openRequest(blobs(3000, 1.2));
    QVERIFY(waitUntilSettled(*window_));
    window_->charts()->showTab(ChartId::Sweep);
    auto* advice = window_->findChild<QLabel*>("epsAdvice");
    auto* stable = window_->findChild<QPushButton*>("stableEps");
    QVERIFY(!stable->isVisible());
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return bool(session_->derived().exactSweep()); }));
    QVERIFY(stable->isVisible());
    Q_EMIT stable->menu()->aboutToShow();
    QCOMPARE(stable->menu()->actions().size(), 3);
    stable->menu()->actions().front()->trigger();
    QVERIFY(waitForResult(*session_));
    QVERIFY2(advice->toolTip().contains("Stable"), qPrintable(advice->toolTip()));
    QVERIFY2(advice->toolTip().startsWith(
                 QString("%1 cluster").arg(session_->clusterRun().result()->clustering.clusters)),
             qPrintable(advice->toolTip()));
    shot(window_.get(), "stable_eps");
    session_->setEps(1e-3);
    QVERIFY2(advice->toolTip().contains("all points are noise"), qPrintable(advice->toolTip()));
    session_->setEps(1000);
    QVERIFY2(advice->toolTip().contains("one cluster"), qPrintable(advice->toolTip()));
  }

  /// After the first change of minPts others cost no search.
  void otherMinPtsComeFromTheGraph() {
    Session& session = openAlone(blobs(4000, 2));
    QVERIFY(waitForHierarchy(session));
    QVERIFY(!session.everyEps().graph());
    const auto backend = makeBackend("cpu", {});
    for (const std::int64_t minPts : {9, 3, 32, 1, 40, 5}) {
      session.setMinPts(minPts);
      QVERIFY(waitForHierarchy(session));
      const auto graph = session.everyEps().graph();
      QVERIFY(graph && graph->mostMinPts() >= std::min<std::int64_t>(minPts, 32));
      session.setEps(session.parameters().dbscan.eps * 1.01);
      QVERIFY(waitForResult(session));
      const auto result = session.clusterRun().result();
      QVERIFY(result->hierarchy);
      QCOMPARE(result->clustering.labels,
               (*backend)->dbscan(*result->cloud, result->parameters.dbscan, {}, {})->labels);
    }
  }
};

WINDOW_TEST(TestEveryEps);
#include "tst_every_eps.moc"
