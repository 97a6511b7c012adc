// The session: from data to clusters, and every change of parameters between.
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <set>

#include "engine/cpu/brute_force.h"
#include "holding_backend.h"
#include "session_folder.h"
#include "tests/test_program.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/follow_labels.h"
#include "ui/session/preview.h"
#include "ui/session/session_files.h"

using namespace clusterloom;

namespace {

void writeFile(const QString& path, const QByteArray& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(text), text.size());
}

}  // namespace

class TestSession : public QObject, SessionFolder {
  Q_OBJECT

  /// Three thousand points after two steps: another minPts, then a scaling.
  std::unique_ptr<Session> openedAndScaled() const {
    auto session = opened(blobs(3000));
    if (!session) return nullptr;
    session->setMinPts(session->parameters().dbscan.minPts + 1);
    session->setScaling({Scaling::Kind::Unit, {}});
    return waitForResult(*session) && waitUntilIdle(*session) ? std::move(session) : nullptr;
  }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("clusterloom-tests");
    QCoreApplication::setApplicationName("tst_session");
  }
  void init() { directory_ = std::make_unique<QTemporaryDir>(); }

  void emptySessionIsQuiet() {
    auto session = makeSession();
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    session->setEps(0.3);
    session->setMinPts(9);
    session->setIndexedDims(2);
    session->cancel();
    session->closeData();
    QVERIFY(session->jobs().active().empty());
    QVERIFY(!session->data().dataset() && !session->data().cloud() &&
            !session->clusterRun().result());
    QCOMPARE(session->files().commandLine(), QString());
    QCOMPARE(failed.count(), 0);
    session->files().exportLabelled(path("x.csv"));
    QCOMPARE(failed.count(), 1);
  }

  void sampleOpensToAMeaningfulFirstView() {
    auto session = makeSession();
    QSignalSpy dataChanged(&session->data(), &SessionData::dataChanged);
    QSignalSpy resultChanged(&session->clusterRun(), &ClusterRun::resultChanged);
    session->data().openSample(blobs(5000));
    QVERIFY(!session->data().dataset());  // returns at once
    QVERIFY(waitForResult(*session));
    QCOMPARE(dataChanged.count(), 1);
    QCOMPARE(resultChanged.count(), 1);
    QCOMPARE(session->data().dataset()->cloud.size(), std::size_t(5000));
    const double eps = session->parameters().dbscan.eps;
    QVERIFY(session->data().epsRange().low <= eps && eps <= session->data().epsRange().high);
    const Clustering& clustering = session->clusterRun().result()->clustering;
    QVERIFY2(clustering.clusters >= 2, qPrintable(QString::number(clustering.clusters)));
    QVERIFY(clustering.noiseCount < 2500);
    QCOMPARE(session->undoStack()->count(), 0);  // nothing has changed

    QVERIFY(waitUntilIdle(*session));
    QVERIFY(session->derived().statistics());
    QCOMPARE(session->derived().statistics()->clusters.size(), std::size_t(clustering.clusters));
    QVERIFY(session->derived().kDistances());
    QCOMPARE(session->derived().kDistances()->k, int(session->parameters().dbscan.minPts));
    QVERIFY(waitUntil([&] { return session->derived().costModel() != nullptr; }));
    QCOMPARE(session->clusterRun().runs().size(), std::size_t(1));
    QVERIFY(!session->clusterRun().backendDescription().isEmpty());
  }

  void labelsEqualBruteForce() {
    auto session = opened(blobs(1500, 3));
    QVERIFY(session);
    for (const double factor : {0.4, 1.0, 2.5}) {
      session->setEps(session->parameters().dbscan.eps * factor);
      QVERIFY(waitForResult(*session));
      const auto judge = bruteForceDbscan(*session->data().cloud(), session->parameters().dbscan);
      QVERIFY(judge);
      QCOMPARE(session->clusterRun().result()->clustering.labels, judge->labels);
    }
  }

  void givenValuesAreTaken() {
    auto session = makeSession();
    OpenRequest request;
    request.sample = blobs(2000);
    request.eps = 0.75;
    request.minPts = 11;
    request.scaling = ScalingChoice{Scaling::Kind::ZScore, {}};
    session->data().open(request);
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->parameters().dbscan.eps, 0.75);
    QCOMPARE(session->parameters().dbscan.minPts, std::int64_t(11));
    QCOMPARE(session->data().scaling().kind, Scaling::Kind::ZScore);
    QVERIFY(waitUntilIdle(*session));
    QCOMPARE(session->parameters().dbscan.eps, 0.75);  // the suggestion left it alone
  }

  void staleResultsAreNeverShown() {
    auto session = opened(blobs(4000));
    QVERIFY(session);
    const double eps = session->parameters().dbscan.eps;
    quint64 lastJob = 0;
    int shown = 0;
    bool mismatch = false;
    connect(&session->clusterRun(), &ClusterRun::resultChanged, session.get(), [&] {
      ++shown;
      mismatch |= !(session->clusterRun().result()->parameters == session->parameters());
      mismatch |=
          session->clusterRun().result()->clustering.params.eps != session->parameters().dbscan.eps;
      mismatch |= session->clusterRun().result()->job <= lastJob;
      lastJob = session->clusterRun().result()->job;
    });
    for (int i = 0; i < 200; ++i) {
      session->setEps(eps * (0.5 + 0.01 * i));
      if (i % 3 == 0) QTest::qWait(i % 7);
    }
    QVERIFY(waitForResult(*session));
    QVERIFY(shown >= 1);
    QVERIFY(!mismatch);
    QCOMPARE(session->clusterRun().result()->clustering.params.eps, eps * (0.5 + 0.01 * 199));
  }

  void aDragIsOneUndoStepAndEndsExact() {
    auto session = opened(blobs(4000));
    QVERIFY(session);
    const double before = session->parameters().dbscan.eps;
    session->setDragging(true);
    for (int i = 1; i <= 30; ++i) {
      session->setEps(before * (1 + 0.02 * i));
      QTest::qWait(5);
    }
    QCOMPARE(session->undoStack()->count(), 0);
    session->setDragging(false);
    QCOMPARE(session->undoStack()->count(), 1);
    QVERIFY(waitForResult(*session));
    QVERIFY(!session->clusterRun().preview());
    QCOMPARE(session->clusterRun().result()->clustering.params.eps, before * 1.6);
    session->undoStack()->undo();
    QCOMPARE(session->parameters().dbscan.eps, before);
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->clusterRun().result()->clustering.params.eps, before);
    session->undoStack()->redo();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->clusterRun().result()->clustering.params.eps, before * 1.6);
  }

  void runsShareWhatDoesNotDependOnEps() {
    const auto hold = std::make_shared<Hold>();
    Session session(nullptr, path("autosave"), holdingBackends(hold));
    session.everyEps().setEnabled(false);
    QVERIFY(!session.data().prepared());
    session.data().openSample(blobs(1000));
    QVERIFY(waitForResult(session));
    std::weak_ptr<const PreparedCloud> first = session.data().prepared();
    QCOMPARE(&first.lock()->cloud(), session.data().cloud().get());
    session.setDragging(true);
    for (int i = 0; i < 3; ++i) {
      session.setEps(session.parameters().dbscan.eps * 1.1);
      QVERIFY(waitForResult(session));
    }
    session.setDragging(false);
    session.derived().setSweepWanted(true);
    QVERIFY(waitUntilIdle(session));
    const auto runs = hold->prepared();
    QVERIFY(runs.size() >= 1 + 3 + 33);
    for (const PreparedCloud* given : runs) QCOMPARE(given, first.lock().get());

    session.data().openSample(blobs(900, 3));
    QVERIFY(waitForResult(session));
    QVERIFY(waitUntilIdle(session));
    QVERIFY(waitUntil([&] { return first.expired(); }));
    QCOMPARE(hold->prepared().back(), session.data().prepared().get());
    QCOMPARE(&session.data().prepared()->cloud(), session.data().cloud().get());
    session.closeData();
    QVERIFY(!session.data().prepared());
  }

  /// The backend is there before the first run, which takes it.
  void theBackendIsPreparedOnce() {
    const auto made = std::make_shared<std::atomic<int>>(0);
    Session session(nullptr, path("autosave"),
                    [made](const std::string& name, const BackendOptions& options) {
                      ++*made;
                      return makeBackend(name, options);
                    });
    session.everyEps().setEnabled(false);
    QCOMPARE(made->load(), 0);
    session.clusterRun().prepareBackend();
    QVERIFY(waitUntilIdle(session));
    QCOMPARE(made->load(), 1);
    session.data().openSample(blobs(1000));
    QVERIFY(waitForResult(session));
    QCOMPARE(made->load(), 1);
  }

  void aDragBackToTheStartIsNoStep() {
    auto session = opened(blobs(2000));
    QVERIFY(session);
    const double before = session->parameters().dbscan.eps;
    session->setDragging(true);
    session->setEps(before * 2);
    session->setEps(before);
    session->setDragging(false);
    QCOMPARE(session->undoStack()->count(), 0);
    QVERIFY(waitForResult(*session));
  }

  void previewWhileDraggingALargeCloud() {
    const auto hold = std::make_shared<Hold>();
    hold->seconds = 1;  // so long that ε is dragged with a preview
    Session held(nullptr, path("autosave"), holdingBackends(hold));
    Session* const session = &held;
    session->data().openSample(blobs(400000 / kSmaller, 3));
    QVERIFY(waitForResult(*session));
    QVERIFY(waitUntilIdle(*session));
    hold->held = true;
    const double before = session->parameters().dbscan.eps;
    QSignalSpy previewChanged(&session->clusterRun(), &ClusterRun::previewChanged);
    session->setDragging(true);
    QElapsedTimer timer;
    timer.start();
    session->setEps(before * 1.3);
    QVERIFY(waitUntil([&] { return session->clusterRun().preview() != nullptr; }));
    qInfo("preview after %lld ms, made in %.1f ms", timer.elapsed(),
          1000 * session->clusterRun().preview()->seconds);
    const auto shown = session->clusterRun().preview();
    const PreviewClustering& preview = *shown;
    QCOMPARE(preview.asked.eps, before * 1.3);
    QVERIFY(preview.points.size() <= 20000 && preview.points.size() > 10000);
    QCOMPARE(preview.labels.size(), preview.points.size());
    QCOMPARE(preview.colours.size(), std::size_t(preview.clusters));
    QVERIFY(preview.text.contains("Approximate"));
    QVERIFY(!session->clusterRun().isResultCurrent());
    // When the drag pauses the exact run replaces it.
    hold->held = false;
    QVERIFY(waitForResult(*session));
    QVERIFY(!session->clusterRun().preview());
    // The same points each time.
    hold->held = true;
    session->setEps(before * 1.5);
    QVERIFY(waitUntil([&] { return session->clusterRun().preview() != nullptr; }));
    QVERIFY(session->clusterRun().preview() != shown);
    QVERIFY(session->clusterRun().preview()->points == preview.points);
    session->setDragging(false);
    hold->held = false;
    QVERIFY(waitForResult(*session));
    QVERIFY(!session->clusterRun().preview());
    QTest::qWait(50);
    QVERIFY(!session->clusterRun().preview());  // none comes late
  }

  void previewKeepsTheDensityThreshold() {
    const DbscanParams asked{.eps = 2.0, .minPts = 100};
    const DbscanParams same = previewParams(asked, 500, 500, 2);
    QCOMPARE(same.eps, 2.0);
    QCOMPARE(same.minPts, std::int64_t(100));
    const DbscanParams tenth = previewParams(asked, 100, 1000, 2);
    QCOMPARE(tenth.minPts, std::int64_t(10));
    QCOMPARE(tenth.eps, 2.0);
    const DbscanParams hundredth = previewParams({.eps = 2.0, .minPts = 10}, 10, 1000, 2);
    QCOMPARE(hundredth.minPts, std::int64_t(4));  // not 0.1
    QVERIFY(std::abs(hundredth.eps - 2.0 * std::sqrt(40.0)) < 1e-12);
    QCOMPARE(previewParams({.eps = 2.0, .minPts = 1}, 10, 1000, 2).minPts, std::int64_t(1));
    // A fixed sample: one point of each equal run.
    PointCloud cloud;
    cloud.columns.resize(1);
    for (int i = 0; i < 1003; ++i) cloud.columns[0].push_back(i);
    const PreviewSample sample = makePreviewSample(cloud, 100);
    QCOMPARE(sample.points.size(), std::size_t(100));
    QVERIFY(std::is_sorted(sample.points.begin(), sample.points.end()));
    QCOMPARE(std::set<int>(sample.points.begin(), sample.points.end()).size(), std::size_t(100));
    for (std::size_t i = 0; i < 100; ++i)
      QCOMPARE(sample.cloud.columns[0][i], double(sample.points[i]));
    QCOMPARE(makePreviewSample(cloud, 100).points, sample.points);
    QCOMPARE(makePreviewSample(cloud, 5000).points.size(), std::size_t(1003));
  }

  void everyParameterCanBeUndone() {
    auto session = opened(blobs(2000));
    QVERIFY(session);
    const Parameters first = session->parameters();
    session->setEps(first.dbscan.eps * 1.1);
    session->setMinPts(first.dbscan.minPts + 3);
    session->setIndexedDims(1);
    Strategy strategy = session->parameters().strategy;
    strategy.pattern = AccessPattern::Full;
    session->setStrategy(strategy);
    session->setStrategy(strategy);  // nothing new: no step
    QVERIFY(waitForResult(*session));
    const Parameters last = session->parameters();
    QCOMPARE(session->undoStack()->count(), 4);
    const auto labels = session->clusterRun().result()->clustering.labels;
    session->undoStack()->setIndex(0);
    QVERIFY(session->parameters() == first);
    QVERIFY(waitForResult(*session));
    session->undoStack()->setIndex(4);
    QVERIFY(session->parameters() == last);
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->clusterRun().result()->clustering.labels, labels);
  }

  void scalingIsUndoneTogetherWithTheEpsItBrought() {
    auto session = opened(blobs(2000));
    QVERIFY(session);
    const double before = session->parameters().dbscan.eps;
    const auto plain = session->data().cloud();
    const auto labels = session->clusterRun().result()->clustering.labels;
    session->setScaling({Scaling::Kind::Unit, {}});
    QVERIFY(!session->clusterRun().isResultCurrent());
    QVERIFY(waitForResult(*session));
    QVERIFY(session->data().cloud() != plain);
    const double scaled = session->parameters().dbscan.eps;
    QVERIFY(scaled < before);
    const Bounds bounds = boundsOf(*session->data().cloud());
    QCOMPARE(bounds.low[0], 0.0);
    QCOMPARE(bounds.high[1], 1.0);
    QCOMPARE(session->undoStack()->count(), 1);

    session->undoStack()->undo();
    QCOMPARE(session->parameters().dbscan.eps, before);
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->clusterRun().result()->clustering.labels, labels);
    session->undoStack()->redo();
    QCOMPARE(session->parameters().dbscan.eps, scaled);
    QVERIFY(waitForResult(*session));
    QCOMPARE(boundsOf(*session->data().cloud()).high[1], 1.0);
    // Undone before it was applied: as if nothing had been.
    session->undoStack()->undo();
    session->undoStack()->redo();
    session->undoStack()->undo();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->clusterRun().result()->clustering.labels, labels);
  }

  void stepsMadeWhileTheEpsIsAwaited() {
    auto session = opened(blobs(3000));
    QVERIFY(session);
    const Parameters before = session->parameters();
    session->setScaling({Scaling::Kind::Unit, {}});
    session->setMinPts(before.dbscan.minPts + 2);  // before the scaled cloud is there
    session->setIndexedDims(1);
    QVERIFY(waitForResult(*session));
    const double scaled = session->parameters().dbscan.eps;
    QVERIFY(scaled != before.dbscan.eps);
    UndoStack& undo = *session->undoStack();
    QCOMPARE(undo.count(), 3);
    undo.undo();
    undo.undo();
    QCOMPARE(session->parameters().dbscan.minPts, before.dbscan.minPts);
    QCOMPARE(session->parameters().dbscan.eps, scaled);
    undo.undo();
    QVERIFY(session->parameters() == before);
    undo.setIndex(3);
    QCOMPARE(session->parameters().dbscan.eps, scaled);
    QVERIFY(waitForResult(*session));
    // Undone while the ε is awaited: the old ε is kept; redone: it is awaited again.
    undo.setIndex(0);
    QVERIFY(waitForResult(*session));
    session->setScaling({Scaling::Kind::ZScore, {}});
    QVERIFY(waitUntil([&] { return session->data().scaling().kind == Scaling::Kind::ZScore; }));
    undo.undo();
    QVERIFY(waitForResult(*session));
    QVERIFY(waitUntilIdle(*session));
    QVERIFY(session->parameters() == before);
    undo.redo();
    QVERIFY(waitForResult(*session));
    QVERIFY(session->parameters().dbscan.eps != before.dbscan.eps);
  }

  void aChangeWhileTheFirstEpsIsAwaited() {
    auto session = makeSession();
    session->data().openSample(blobs(3000));
    QVERIFY(waitUntil([&] { return session->data().cloud() != nullptr; }));
    session->setMinPts(12);
    QVERIFY(waitForResult(*session));
    const double eps = session->parameters().dbscan.eps;
    session->undoStack()->undo();
    QCOMPARE(session->parameters().dbscan.eps, eps);
    QVERIFY(waitForResult(*session));
  }

  /// Each state with units of its own has an ε of its own, also where the next one came before it
  /// was known, or a person did not wait for it.
  void undoToUnitsWhoseEpsWasNeverKnown() {
    auto session = opened(blobs(3000));
    QVERIFY(session);
    const double unscaled = session->parameters().dbscan.eps;
    session->setScaling({Scaling::Kind::Unit, {}});
    session->setScaling({Scaling::Kind::ZScore, {}});
    QVERIFY(waitForResult(*session));
    const double ofScores = session->parameters().dbscan.eps;
    UndoStack& undo = *session->undoStack();
    QCOMPARE(undo.count(), 2);
    undo.undo();
    QVERIFY(waitForResult(*session));
    const double ofUnits = session->parameters().dbscan.eps;
    QVERIFY2(ofUnits != unscaled && ofUnits < 0.5 * ofScores, qPrintable(QString::number(ofUnits)));
    undo.undo();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->parameters().dbscan.eps, unscaled);
    undo.redo();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->parameters().dbscan.eps, ofUnits);

    session->setScaling({Scaling::Kind::ZScore, {}});
    session->setEps(ofScores * 2);
    QVERIFY(waitForResult(*session));
    undo.undo();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->parameters().dbscan.eps, ofScores);
    undo.redo();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->parameters().dbscan.eps, ofScores * 2);
  }

  /// Stopping the scaling that undo asks for leads back to where undo was asked.
  void stopDuringTheScalingOfAnUndo() {
    auto session = openedAndScaled();
    QVERIFY(session);
    const Parameters scaled = session->parameters();
    session->undoStack()->undo();
    QVERIFY(session->jobs().isActive(JobKind::Scale));
    session->cancel();
    QVERIFY(waitUntilIdle(*session));
    QVERIFY(session->parameters() == scaled);
    QCOMPARE(session->undoStack()->index(), 2);
    QCOMPARE(session->undoStack()->count(), 2);
    QVERIFY(session->clusterRun().isResultCurrent());
  }

  /// No state has the cloud that is there and its ε: one is not known.
  void stopAfterAnUndoAndAnotherChange() {
    auto session = openedAndScaled();
    QVERIFY(session);
    session->undoStack()->undo();
    QVERIFY(session->jobs().isActive(JobKind::Scale));
    session->setMinPts(99);
    session->cancel();
    QVERIFY(waitUntilIdle(*session));
    QCOMPARE(int(session->parameters().scaling.kind), int(Scaling::Kind::Unit));
    QCOMPARE(int(session->clusterRun().state()), int(RunState::NeedsEps));
    session->clusterRun().run();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->parameters().dbscan.minPts, std::int64_t(99));
  }

  void badScalingIsRefusedAndLeavesEverything() {
    auto session = opened(blobs(1000));
    QVERIFY(session);
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    const Parameters before = session->parameters();
    session->setScaling({Scaling::Kind::Factors, {1, 2, 3}});  // two dimensions
    QCOMPARE(failed.count(), 1);
    QVERIFY(session->parameters() == before);
    session->setScaling({Scaling::Kind::Factors, {1, 0}});  // refused by the engine, on the worker
    QVERIFY(waitUntil([&] { return failed.count() == 2; }));
    QVERIFY(session->parameters() == before);
    QCOMPARE(session->undoStack()->count(), 0);
    QVERIFY(session->clusterRun().isResultCurrent());
    QCOMPARE(failed[1][0].value<Failure>().error.kind, ErrorKind::BadCall);
  }

  void badParametersAreRefused() {
    auto session = opened(blobs(500));
    QVERIFY(session);
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    const Parameters before = session->parameters();
    for (const double eps : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e-200, 1e200})
      session->setEps(eps);
    session->setMinPts(0);
    session->setMinPts(-5);
    QCOMPARE(failed.count(), 8);
    QVERIFY(session->parameters() == before);
    // A strategy that the backend does not support is reported by the run; the old result stays.
    Strategy strategy = before.strategy;
    strategy.threadsPerPoint = 8;
    session->clusterRun().setBackend("cpu");
    session->setStrategy(strategy);
    QVERIFY(waitUntil([&] { return failed.count() == 9; }));
    QVERIFY(session->clusterRun().result());
    QVERIFY(!session->clusterRun().isResultCurrent());
    session->undoStack()->undo();
    QVERIFY(waitForResult(*session));
  }

  void minPtsBeyondThePoints() {
    auto session = opened(blobs(300));
    QVERIFY(session);
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    session->setMinPts(1'000'000'000'000);
    QVERIFY(waitForResult(*session));
    QVERIFY(waitUntilIdle(*session));
    QCOMPARE(session->clusterRun().result()->clustering.clusters, 0);
    QVERIFY(!session->derived().kDistances());
    session->setMinPts(1);
    QVERIFY(waitForResult(*session));
    QVERIFY(waitUntilIdle(*session));
    QVERIFY(session->derived().kDistances());
    QCOMPARE(session->clusterRun().result()->clustering.noiseCount, std::uint64_t(0));
    QCOMPARE(failed.count(), 0);
  }

  void cancelFreesWithin100MsAndKeepsWhatWasThere() {
    auto session = opened(blobs(300000 / kSmaller, 3));
    QVERIFY(session);
    const auto shown = session->clusterRun().result();
    const Parameters before = session->parameters();
    Strategy endless = before.strategy;
    endless.method = Method::BruteForce;  // minutes on any machine
    qint64 late = 100;
    for (int turn = 0; turn < 5 && late >= 100; ++turn) {  // other programs may hold this one up
      session->setStrategy(endless);
      QVERIFY(waitUntil([&] { return session->jobs().isActive(JobKind::Cluster); }));
      QTest::qWait(5);
      QElapsedTimer timer;
      timer.start();
      session->cancel();
      late = timer.elapsed();
      QVERIFY(!session->jobs().isActive(JobKind::Cluster));
      if (late >= 100) session->setStrategy(before.strategy);
    }
    QVERIFY2(late < 100, qPrintable(QString::number(late)));
    QTest::qWait(300);
    QCOMPARE(session->clusterRun().result(), shown);
    session->setStrategy(before.strategy);
    QVERIFY(
        session->clusterRun().isResultCurrent());  // undone by hand: the result on show fits again
    // The worker is free again soon: a small change comes through.
    session->setEps(before.dbscan.eps * 1.01);
    QVERIFY(waitForResult(*session));
  }

  void cancelDuringLoadKeepsTheOldData() {
    auto session = opened(blobs(1000));
    QVERIFY(session);
    const auto isLoading = [&] {  // and the worker has begun
      const auto jobs = session->jobs().active();
      return std::any_of(jobs.begin(), jobs.end(), [](const JobInfo& job) {
        return job.kind == JobKind::Load && !job.stage.isEmpty();
      });
    };
    bool cancelled = false;
    for (int turn = 0; turn < 5 && !cancelled; ++turn) {  // a busy machine may see its end only
      QVERIFY(waitForResult(*session) && waitUntilIdle(*session));
      const auto dataset = session->data().dataset();
      session->data().openSample(blobs(3'000'000 / kSmaller, 3));
      QVERIFY(waitUntil([&] { return isLoading() || session->data().dataset() != dataset; }));
      if (!isLoading()) continue;
      session->cancel();
      cancelled = true;
      QTest::qWait(200);
      QCOMPARE(session->data().dataset(), dataset);
      QVERIFY(session->clusterRun().isResultCurrent());
    }
    QVERIFY(cancelled);
  }

  /// What changes the old data while the new ones are read ends with the old ones.
  void changesDuringALoad() {
    auto session = opened(blobs(4000));
    QVERIFY(session);
    session->setScaling({Scaling::Kind::Unit, {}});
    QVERIFY(waitForResult(*session));
    OpenRequest next;
    next.sample = blobs(300'000 / kSmaller, 2);
    next.eps = 0.5;
    session->data().open(next);
    session->undoStack()->undo();  // starts to scale the old data
    session->setKept(PointSet(new std::vector<std::uint32_t>{3999}), "Keep 1 point");
    session->setDragging(true);
    session->setEps(0.75);
    QVERIFY(waitUntil([&] { return session->data().cloud()->size() == next.sample->points; }));
    QVERIFY(!session->isDragging());
    QCOMPARE(session->undoStack()->count(), 0);
    session->setDragging(false);  // the button is released over the new data
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->data().cloud()->size(), next.sample->points);
    QVERIFY(!session->parameters().kept);
    QCOMPARE(session->parameters().scaling.kind, Scaling::Kind::None);
    QCOMPARE(session->parameters().dbscan.eps, 0.5);
    QCOMPARE(session->clusterRun().result()->clustering.labels.size(), next.sample->points);
    QCOMPARE(session->undoStack()->count(), 0);
    QVERIFY(waitUntilIdle(*session));
  }

  void newerLoadWins() {
    auto session = makeSession();
    QSignalSpy dataChanged(&session->data(), &SessionData::dataChanged);
    session->data().openSample(blobs(1'000'000 / kSmaller, 3));
    session->data().openSample(blobs(2000, 2));
    session->data().openSample(blobs(1234, 2));
    QVERIFY(waitForResult(*session));
    QCOMPARE(dataChanged.count(), 1);
    QCOMPARE(session->data().dataset()->cloud.size(), std::size_t(1234));
  }

  void fileThatCannotBeOpened() {
    auto session = opened(blobs(1000));
    QVERIFY(session);
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    const auto dataset = session->data().dataset();
    session->data().openFile(path("nowhere.csv"));
    QVERIFY(waitUntil([&] { return failed.count() == 1; }));
    const auto failure = failed[0][0].value<Failure>();
    QCOMPARE(failure.job, JobKind::Load);
    QCOMPARE(failure.error.kind, ErrorKind::Io);
    QVERIFY(QString::fromStdString(failure.error.message).contains("nowhere.csv"));
    QVERIFY(!failure.error.canSkipRows);
    QCOMPARE(session->data().dataset(), dataset);
    QVERIFY(session->clusterRun().isResultCurrent());
  }

  void rowsThatAreNotFiniteCanBeSkipped() {
    writeFile(path("holes.csv"), "x,y\n0,0\n1,nan\n0.1,0.1\n0.2,0\ninf,3\n0.1,0\n0,0.1\n0.1,0.2\n");
    auto session = makeSession();
    QSignalSpy failed(&session->jobs(), &JobQueue::failed);
    QSignalSpy warned(&session->jobs(), &JobQueue::warned);
    session->data().openFile(path("holes.csv"));
    QVERIFY(waitUntil([&] { return failed.count() == 1; }));
    QVERIFY(failed[0][0].value<Failure>().error.canSkipRows);
    QVERIFY(!session->data().dataset());
    session->data().retrySkippingNonFinite();
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->data().dataset()->cloud.size(), std::size_t(6));
    QCOMPARE(session->data().dataset()->skippedRows, (std::vector<std::uint64_t>{1, 4}));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(warned.count(), 1);
    QVERIFY(session->files().commandLine().contains("--skip-non-finite"));
  }

  void closing() {
    auto session = opened(blobs(3000));
    QVERIFY(session);
    session->setEps(session->parameters().dbscan.eps * 1.2);
    session->closeData();
    QVERIFY(!session->data().dataset() && !session->data().cloud() &&
            !session->clusterRun().result());
    QCOMPARE(session->undoStack()->count(), 0);
    QVERIFY(!session->files().isModified());
    QVERIFY(waitUntilIdle(*session));
    QVERIFY(!session->clusterRun().result() && !session->derived().kDistances() &&
            !session->derived().statistics());
    session->data().openSample(blobs(500));
    QVERIFY(waitForResult(*session));
  }

  void destroyedInTheMidst() {
    for (const int wait : {0, 1, 5, 20, 80, 200}) {
      auto session = makeSession();
      session->derived().setSweepWanted(true);
      session->data().openSample(blobs(200000 / kSmaller, 3));
      QTest::qWait(wait);
      session->setEps(0.5);
      QElapsedTimer timer;
      timer.start();
      session.reset();
      QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
    }
  }
};

GUILESS_TEST(TestSession);
#include "tst_session.moc"
