// How far to trust the clusters on show: validity, found again, persistence.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "engine/cpu/brute_force.h"
#include "engine/io/read.h"
#include "holding_backend.h"
#include "session_waits.h"
#include "tests/test_program.h"
#include "ui/session/check_columns.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

using namespace clusterloom;

namespace {

bool isReady(const Session& session, Check check) {
  return session.checks().state(check) == CheckState::Ready;
}

bool areReady(const Session& session) {
  return isReady(session, Check::Validity) && isReady(session, Check::FoundAgain);
}

/// Equal, or both undefined.
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// The validity of the clusters on show, computed here.
Validity validityNow(const Session& session) {
  const auto result = session.clusterRun().result();
  return *densityBasedValidity(*session.data().cloud(), result->clustering.labels, 1);
}

/// How often they are found again, by DBSCAN by brute force.
std::vector<ClusterStability> stabilityNow(const Session& session) {
  const auto result = session.clusterRun().result();
  const DbscanParams asked = result->parameters.dbscan;
  const DbscanParams ofSample{asked.eps, 1 + std::llround(0.5 * double(asked.minPts - 1))};
  return *stabilityByResampling(
      *session.data().cloud(), result->clustering.labels,
      {.resamples = 20, .share = 0.5, .seed = 1},
      [&](const PointCloud& sample, const Task&) -> Result<std::vector<std::int32_t>> {
        return bruteForceDbscan(sample, ofSample)->labels;
      });
}

void compareWithEngine(const Session& session) {
  const ClusterFigures figures = session.checks().figures();
  QVERIFY(figures.validity && figures.foundAgain);
  const Validity validity = validityNow(session);
  QVERIFY(same(figures.validity->index, validity.index));
  QVERIFY(validity.clusters.size() > 1);
  QCOMPARE(figures.validity->clusters.size(), validity.clusters.size());
  const auto stability = stabilityNow(session);
  QCOMPARE(figures.foundAgain->clusters.size(), stability.size());
  for (std::size_t c = 0; c < stability.size(); ++c) {
    const auto label = std::int32_t(c);
    QVERIFY(same(validityOf(figures, label)->validity, validity.clusters[c].validity));
    QCOMPARE(stabilityOf(figures, label)->found, stability[c].found);
    QVERIFY(same(stabilityOf(figures, label)->jaccard, stability[c].jaccard));
  }
}

}  // namespace

class TestSessionChecks : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> directory_;
  std::shared_ptr<Hold> hold_;
  std::unique_ptr<Session> session_;

  QString path(const QString& name) const { return directory_->filePath(name); }
  ClusterChecks& checks() { return session_->checks(); }
  bool open(std::size_t points = 900) {
    session_->data().openSample({"blobs", points, 2, 7});
    return waitForResult(*session_) &&
           waitUntil([&] { return session_->derived().statistics() != nullptr; });
  }
  void setFactor(double factor) { session_->setEps(session_->parameters().dbscan.eps * factor); }

 private Q_SLOTS:
  void init() {
    directory_ = std::make_unique<QTemporaryDir>();
    hold_ = std::make_shared<Hold>();
    hold_->seconds = 0.001;  // short enough for checks that start by themselves
    session_ = std::make_unique<Session>(nullptr, path("autosave"), holdingBackends(hold_));
  }
  void cleanup() {
    hold_->held = false;
    session_.reset();
  }

  void nothingIsComputedUnlessItIsWanted() {
    QVERIFY(open());
    bool started = false;
    connect(&session_->jobs(), &JobQueue::started, this, [&](quint64, JobKind kind) {
      started |= kind == JobKind::Validity || kind == JobKind::FoundAgain;
    });
    setFactor(0.9);
    QVERIFY(waitForResult(*session_));
    QTest::qWait(500);
    QVERIFY(!started);
    QVERIFY(checks().figures() == ClusterFigures());
    QCOMPARE(checks().state(Check::Validity), CheckState::Off);
  }

  void valuesAreThoseOfTheEngine() {
    checks().setWanted(true);
    QCOMPARE(checks().state(Check::Validity), CheckState::NoClusters);
    QVERIFY(open());
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    compareWithEngine(*session_);
    QCOMPARE(checks().checkedEps().size(), std::size_t{1});
    QCOMPARE(checks().checkedEps()[0].eps, session_->parameters().dbscan.eps);
    QCOMPARE(checks().checkedEps()[0].share, checks().figures().foundAgain->share());
    checks().setWanted(false);
    QVERIFY(checks().figures() == ClusterFigures());
    QVERIFY(checks().checkedEps().empty());
  }

  /// No value is beside clusters that it is not of, while ε moves, either.
  void valuesGoWithTheirClusters() {
    QVERIFY(open());
    checks().setWanted(true);
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    int shown = 0;
    bool stale = false;
    connect(&session_->clusterRun(), &ClusterRun::resultChanged, this, [&] {
      ++shown;
      stale |= !(checks().figures() == ClusterFigures());
    });
    session_->setDragging(true);
    for (const double factor : {1.2, 1.1, 0.6}) {
      setFactor(factor);
      QVERIFY(waitForResult(*session_));
    }
    QTest::qWait(700);
    QVERIFY(checks().figures() == ClusterFigures());  // ε is still held
    session_->setDragging(false);
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    QCOMPARE(shown, 3);
    QVERIFY(!stale);
    compareWithEngine(*session_);
    QCOMPARE(checks().checkedEps().size(), std::size_t{2});
    // What was found at other ε is of this minPts alone.
    session_->setMinPts(session_->parameters().dbscan.minPts + 3);
    QVERIFY(waitForResult(*session_));
    QVERIFY(checks().checkedEps().empty());
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    compareWithEngine(*session_);
  }

  void persistenceComesWithTheHierarchy() {
    QVERIFY(open());
    checks().setWanted(true);
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    QVERIFY(!checks().hasPersistence() && !checks().figures().persistence);
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return checks().figures().persistence != nullptr; }));
    setFactor(0.7);
    QVERIFY(waitForResult(*session_));
    QVERIFY(!checks().figures().persistence);
    QVERIFY(waitUntil([&] { return checks().figures().persistence != nullptr; }));
    const auto result = session_->clusterRun().result();
    std::vector<std::uint32_t> nodes;
    const auto hierarchy = session_->everyEps().hierarchy();
    QVERIFY(hierarchy->labels(result->parameters.dbscan.eps, &nodes).has_value());
    const auto ranges = persistenceOf(*hierarchy, nodes);
    QCOMPARE(checks().figures().persistence->size(), std::size_t(result->clustering.clusters));
    for (std::size_t c = 0; c < ranges.size(); ++c) {
      const EpsRangeOfCluster& shown = (*checks().figures().persistence)[c];
      QCOMPARE(shown.from, ranges[c].from);
      QCOMPARE(shown.to, ranges[c].to);
      QVERIFY(shown.from <= result->parameters.dbscan.eps);
      QVERIFY(shown.to > result->parameters.dbscan.eps);
    }
  }

  void whatTakesLongAsksAndIsStopped() {
    hold_->seconds = 100;  // a run is said to take so long
    QVERIFY(open());
    checks().setWanted(true);
    QVERIFY(waitUntil([&] { return isReady(*session_, Check::Validity); }));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(checks().state(Check::FoundAgain), CheckState::Asks);
    QVERIFY(checks().seconds(Check::FoundAgain) > 900);
    hold_->held = true;
    checks().run();
    QCOMPARE(checks().state(Check::FoundAgain), CheckState::Running);
    QVERIFY(isReady(*session_, Check::Validity));
    checks().stop();
    QCOMPARE(checks().state(Check::FoundAgain), CheckState::Asks);
    QVERIFY(waitUntilIdle(*session_));
    checks().run();
    session_->cancel();
    QCOMPARE(checks().state(Check::FoundAgain), CheckState::Asks);
    hold_->held = false;
    checks().run();
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    compareWithEngine(*session_);
    // With other clusters it asks again.
    setFactor(0.7);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntil([&] { return isReady(*session_, Check::Validity); }));
    QVERIFY(waitUntilIdle(*session_));
    QCOMPARE(checks().state(Check::FoundAgain), CheckState::Asks);
  }

  void aFailureIsSaidAndTriedAgain() {
    QVERIFY(open());
    QSignalSpy failed(&session_->jobs(), &JobQueue::failed);
    hold_->fails = true;
    checks().setWanted(true);
    QVERIFY(waitUntil([&] { return checks().state(Check::FoundAgain) == CheckState::Failed; }));
    QCOMPARE(failed.count(), 1);
    hold_->fails = false;
    checks().run();
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    QCOMPARE(failed.count(), 1);
  }

  void whatIsImpossibleIsRefusedInWords() {
    QVERIFY(open());
    checks().setWanted(true);
    QVERIFY(waitUntil([&] { return areReady(*session_); }));
    session_->setSpace({.periods = {1000, 1000}});
    QVERIFY(waitForResult(*session_));
    QCOMPARE(checks().state(Check::Validity), CheckState::Refused);
    QVERIFY(!checks().refusal(Check::Validity).isEmpty());
    QVERIFY(waitUntil([&] { return isReady(*session_, Check::FoundAgain); }));
    QVERIFY(!checks().figures().validity);
    session_->setSpace({});
    QVERIFY(waitForResult(*session_));
    session_->addRefinement({std::make_shared<const std::vector<std::uint32_t>>(
                                 std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}),
                             {0.5, 2}});
    QVERIFY(waitForResult(*session_));
    QCOMPARE(checks().state(Check::FoundAgain), CheckState::Refused);
    QVERIFY(waitUntil([&] { return isReady(*session_, Check::Validity); }));
    QVERIFY(!checks().figures().foundAgain);
  }

  void weightsAreRefused() {
    QFile file(path("weighted.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y,w\n");
    for (int i = 0; i < 40; ++i)
      file.write(QStringLiteral("%1,%2,2\n").arg(i % 2 * 50 + i % 5).arg(i / 5).toUtf8());
    file.close();
    OpenRequest request;
    request.path = file.fileName();
    request.read.coordinates = {"x", "y"};
    request.eps = 2;
    request.minPts = 3;
    session_->data().open(request);
    QVERIFY(waitForResult(*session_));
    session_->setWeights("w");
    QVERIFY(waitForResult(*session_));
    checks().setWanted(true);
    for (const Check check : {Check::Validity, Check::FoundAgain}) {
      QCOMPARE(checks().state(check), CheckState::Refused);
      QVERIFY(!checks().refusal(check).isEmpty());
    }
  }

  void theExportedTableHasThem() {
    QVERIFY(open());
    QSignalSpy exported(&session_->files(), &SessionFiles::exported);
    session_->files().exportClusterTable(path("before.csv"));
    QVERIFY(waitUntil([&] { return exported.count() == 1; }));
    checks().setWanted(true);
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil(
        [&] { return areReady(*session_) && checks().figures().persistence != nullptr; }));
    session_->files().exportClusterTable(path("after.csv"));
    QVERIFY(waitUntil([&] { return exported.count() == 2; }));
    QVERIFY(!linesOf("before.csv")[0].contains("validity"));
    const QList<QByteArray> lines = linesOf("after.csv");
    const QList<QByteArray> titles = lines[0].split(',');
    QVERIFY(titles.endsWith("eps_to"));
    const ClusterFigures figures = checks().figures();
    for (std::int32_t label = 0; label < session_->clusterRun().result()->clustering.clusters;
         ++label) {
      const QList<QByteArray> cells = lines[label + 1].split(',');
      QCOMPARE(cells.size(), titles.size());
      const auto cell = [&](const char* name) { return cells[titles.indexOf(name)]; };
      QCOMPARE(cell("validity").toDouble(), validityOf(figures, label)->validity);
      QCOMPARE(cell("sparseness").toDouble(), validityOf(figures, label)->sparseness);
      QCOMPARE(cell("jaccard").toDouble(), stabilityOf(figures, label)->jaccard);
      QCOMPARE(cell("samples").toUInt(), stabilityOf(figures, label)->samples);
      const ClusterStability& again = *stabilityOf(figures, label);
      QCOMPARE(cell("found_percent").toDouble(), 100.0 * again.found / again.samples);
      QCOMPARE(cell("eps_from").toDouble(), (*figures.persistence)[std::size_t(label)].from);
    }
    QFile provenance(path("after.csv.provenance.json"));
    QVERIFY(provenance.open(QIODevice::ReadOnly));
    const QByteArray text = provenance.readAll();
    QVERIFY(text.contains("\"validity\""));
    QVERIFY(text.contains("20 samples, share 0.5, seed 1, min_pts"));
  }

 private:
  QList<QByteArray> linesOf(const QString& name) const {
    QFile file(path(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    lines.removeIf([](const QByteArray& line) { return line.startsWith('#'); });
    return lines;
  }
};

GUILESS_TEST(TestSessionChecks);
#include "tst_session_checks.moc"
