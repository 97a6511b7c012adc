// Selected and hidden clusters, which runs carry over.
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "holding_backend.h"
#include "session_folder.h"
#include "tests/test_program.h"
#include "ui/session/cluster_run.h"
#include "ui/session/follow_labels.h"
#include "ui/session/session_files.h"

using namespace clusterloom;

class TestSessionSelection : public QObject, SessionFolder {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("clusterloom-tests");
    QCoreApplication::setApplicationName("tst_session_selection");
  }
  void init() { directory_ = std::make_unique<QTemporaryDir>(); }

  void selectionAndHidingSurviveAChangeOfEps() {
    auto session = opened(blobs(6000));
    QVERIFY(session);
    QVERIFY(session->clusterRun().result()->clustering.clusters >= 2);
    session->setSelectedClusters({0, kNoise});
    DisplayState display = session->display();
    display.hidden = {1};
    session->setDisplay(display);
    const auto before = session->clusterRun().result();
    session->setEps(session->parameters().dbscan.eps * 1.03);
    QVERIFY(waitForResult(*session));
    const auto followed = followLabels(before->clustering.labels, before->clustering.clusters,
                                       session->clusterRun().result()->clustering.labels);
    QCOMPARE(session->selection().clusters, (std::set<std::int32_t>{kNoise, followed[0]}));
    QCOMPARE(session->display().hidden, std::set<std::int32_t>{followed[1]});
  }

  /// Another scaling finds others, whose numbers say nothing.
  void clustersOfAnotherCloudAreNeitherSelectedNorHidden() {
    auto session = opened(blobs(3000));
    QVERIFY(session);
    QVERIFY(session->clusterRun().result()->clustering.clusters >= 2);
    session->setSelectedClusters({0, kNoise});
    DisplayState display = session->display();
    display.hidden = {1, kNoise};
    session->setDisplay(display);
    session->setScaling({Scaling::Kind::ZScore, {}});
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->selection().clusters, std::set<std::int32_t>{kNoise});
    QCOMPARE(session->display().hidden, std::set<std::int32_t>{kNoise});
  }

  void aSelectionMadeDuringARunIsCarriedOver() {
    auto session = opened(blobs(6000));
    QVERIFY(session);
    const auto before = session->clusterRun().result();
    session->setEps(session->parameters().dbscan.eps * 1.03);
    session->setSelectedClusters({1});  // of the clusters still on show
    QVERIFY(waitForResult(*session));
    const auto followed = followLabels(before->clustering.labels, before->clustering.clusters,
                                       session->clusterRun().result()->clustering.labels);
    QCOMPARE(session->selection().clusters, std::set<std::int32_t>{followed[1]});
  }

  void followingLabels() {
    const std::vector<std::int32_t> before{0, 0, 0, 1, 1, 2, 2, -1, 3};
    const std::vector<std::int32_t> now{4, 4, 5, -1, -1, 6, 7, 4, 0};
    QCOMPARE(followLabels(before, 4, now), (std::vector<std::int32_t>{4, -1, 6, 0}));
    QCOMPARE(followLabels(before, 4, std::vector<std::int32_t>{1}),
             (std::vector<std::int32_t>{-1, -1, -1, -1}));
    QCOMPARE(followLabels(std::vector<std::int32_t>{0, 0, 0, 0}, 1,
                          std::vector<std::int32_t>{5, 2, 5, 2}),
             std::vector<std::int32_t>{2});  // a tie
    QCOMPARE(followLabels({}, 0, {}), std::vector<std::int32_t>{});
    QCOMPARE(carriedOver({-1, 0, 1, 3, 99}, {4, -1, 6, 0}), (std::set<std::int32_t>{-1, 0, 4}));
  }

  void whatHiddenClustersBecome() {
    const std::vector<std::int32_t> before{0, 0, 0, 1, 1, 1, 1, 2, -1, -1};
    const auto hides = [&](const std::set<std::int32_t>& hidden, std::int32_t clusters,
                           const std::vector<std::int32_t>& now) {
      return madeOf(hidden, before, now, clusters);
    };
    using Set = std::set<std::int32_t>;
    // A part of a larger one, which stays on show; two that are most of one; the parts of one.
    QCOMPARE(hides({0}, 2, {0, 0, 0, 0, 0, 0, 0, 1, -1, -1}), Set{});
    QCOMPARE(hides({0, 1}, 1, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), Set{0});
    QCOMPARE(hides({1}, 4, {0, 0, 0, 1, 1, 2, 2, 3, -1, -1}), (Set{1, 2}));
    // Half is not most; noise is no cluster, and stays hidden.
    QCOMPARE(hides({-1, 2}, 1, {-1, -1, -1, -1, -1, -1, -1, 0, 0, -1}), Set{-1});
    QCOMPARE(hides({99}, 1, before), Set{});
    QCOMPARE(hides({0, 1}, 1, {0}), Set{});
  }

  void aHiddenClusterHidesNoLargerOne() {
    auto session = opened(blobs(6000));
    QVERIFY(session);
    DisplayState display = session->display();
    display.hidden = {1};
    session->setDisplay(display);
    session->setEps(session->parameters().dbscan.eps * 1000);
    QVERIFY(waitForResult(*session));
    QCOMPARE(session->clusterRun().result()->clustering.clusters, 1);
    QCOMPARE(session->display().hidden, std::set<std::int32_t>{});
  }

  void signalsOfSelection() {
    auto session = makeSession();
    QSignalSpy selection(session.get(), &Session::selectionChanged);
    QSignalSpy hover(session.get(), &Session::hoverChanged);
    session->setHoveredPoint(3);
    session->setHoveredPoint(3);
    QCOMPARE(hover.count(), 1);
    QCOMPARE(selection.count(), 0);
    session->setPickedPoint(3);
    session->setSelectedClusters({1, 2});
    session->setSelectedClusters({1, 2});
    QCOMPARE(selection.count(), 2);
    QCOMPARE(hover.count(), 1);
    QCOMPARE(session->selection().point, std::int64_t(3));
  }
};

GUILESS_TEST(TestSessionSelection);
#include "tst_session_selection.moc"
