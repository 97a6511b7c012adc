// The ε that a cloud is first clustered with, and the line that says why.
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "engine/hierarchy/eps_advice.h"
#include "engine/hierarchy/stable_partition.h"
#include "session_waits.h"
#include "shown_window.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"
#include "ui/words/numbers.h"

using namespace clusterloom;

class TestFirstEps : public QObject, private ShownWindow {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Session> alone_;

  /// A session with a sample clustered; null when it did not work.
  Session* opened(const GeneratorSpec& spec) {
    alone_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
    alone_ = std::make_unique<Session>(nullptr, folder_->path());
    alone_->data().openSample(spec);
    return waitForResult(*alone_) ? alone_.get() : nullptr;
  }

 private Q_SLOTS:
  void cleanup() {
    closeWindow();
    alone_.reset();
    folder_.reset();
  }

  /// Of the most stable partition, also where that is estimated from a part of the points.
  void theFirstEpsGivesTheStableClusters_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<uint>("points");
    QTest::addColumn<uint>("clusters");
    QTest::newRow("small") << "shapes" << 9000U << 8U;
    QTest::newRow("large") << "blobs" << 310000U << 8U;
  }
  void theFirstEpsGivesTheStableClusters() {
    QFETCH(QString, kind);
    QFETCH(uint, points);
    QFETCH(uint, clusters);
    Session* session = opened({kind.toStdString(), points, 2, 7});
    QVERIFY(session != nullptr);
    const auto& suggestion = session->data().suggestion();
    QVERIFY(suggestion && suggestion->stable);
    QCOMPARE(suggestion->isExact, points < 50000);
    QCOMPARE(suggestion->stable->clusters, clusters);
    QCOMPARE(session->parameters().dbscan.eps, suggestion->eps);
    QVERIFY(suggestion->stable->from < suggestion->eps && suggestion->eps < suggestion->stable->to);
    QVERIFY(waitUntilIdle(*session));
    const auto& found = session->derived().statistics()->clusters;
    const std::size_t least = leastSizeWithMeaning(points, session->parameters().dbscan.minPts);
    QCOMPARE(std::count_if(found.begin(), found.end(),
                           [&](const ClusterStatistics& c) { return c.core >= least; }),
             std::ptrdiff_t(clusters));
    // It belongs to this minPts and cloud.
    session->closeData();
    QVERIFY(!session->data().suggestion());
  }

  /// Where no partition is stable, the knee, but not one large cluster.
  void theFirstEpsIsNotTooLarge() {
    for (const std::size_t dims : {2, 3}) {
      Session* session = opened({"unif", 20000, dims, 7});
      QVERIFY(session != nullptr);
      QVERIFY(!session->data().suggestion()->stable && session->data().suggestion()->isBelowKnee);
      QVERIFY(waitUntilIdle(*session));
      const Clustering& clustering = session->clusterRun().result()->clustering;
      std::vector<std::uint64_t> sizes(std::size_t(clustering.clusters), 0);
      for (const std::int32_t label : clustering.labels)
        if (label >= 0) ++sizes[std::size_t(label)];
      QVERIFY(!isNearlyAll(*std::max_element(sizes.begin(), sizes.end()),
                           20000 - clustering.noiseCount));
      QVERIFY(2 * clustering.noiseCount <= 20000);
    }
  }

  /// The k-distances of a raster are all √2 here: with 1.41 all of it would be noise.
  void aRasterIsNotNoise() {
    QVERIFY(showWindow({1200, 860}));
    QFile file(path("raster.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x,y\n");
    for (int i = 0; i < 900; ++i)
      file.write(QStringLiteral("%1,%2\n").arg(i / 30).arg(i % 30).toUtf8());
    file.close();
    OpenRequest request;
    request.path = file.fileName();
    request.minPts = 6;
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!session_->data().suggestion()->stable);
    QCOMPARE(session_->parameters().dbscan.eps, 1.42);
    QCOMPARE(session_->clusterRun().result()->clustering.clusters, 1);
    QVERIFY(session_->clusterRun().result()->clustering.noiseCount <= 4);
  }

  /// The first ε of a cloud says why; the advice of the exact curve does not speak against it.
  void theFirstEpsSaysWhy() {
    QVERIFY(showWindow({1200, 860}));
    OpenRequest request;
    request.sample = GeneratorSpec{"shapes", 3000, 2, 7};
    window_->openRequest(request);
    QVERIFY(waitUntilSettled(*window_));
    const auto* why = window_->findChild<QLabel*>("suggestionText");
    const auto& suggestion = session_->data().suggestion();
    QVERIFY(suggestion && suggestion->stable);
    const QString text =
        QString("most stable: %1 larger clusters, ε %2 to %3")
            .arg(count(suggestion->stable->clusters), significant(suggestion->stable->from, 3),
                 significant(suggestion->stable->to, 3));
    QCOMPARE(why->text(), text);
    QVERIFY(why->isVisible());
    QVERIFY2(why->toolTip().contains("core points or more"), qPrintable(why->toolTip()));
    session_->everyEps().setEnabled(true);
    QVERIFY(waitUntil([&] { return bool(session_->derived().exactSweep()); }));
    const EpsAdvice advice =
        adviceAt(session_->derived().exactSweep()->curve, 3000, session_->parameters().dbscan.eps);
    for (const EpsFlag flag : {EpsFlag::AllNoise, EpsFlag::MostlyNoise, EpsFlag::OneCluster})
      QCOMPARE(std::count(advice.flags.begin(), advice.flags.end(), flag), std::ptrdiff_t(0));
    // Another ε has no such reason.
    const double first = session_->parameters().dbscan.eps;
    session_->setEps(2 * first);
    QVERIFY2(why->text().startsWith("knee at"), qPrintable(why->text()));
    session_->setEps(first);
    QCOMPARE(why->text(), text);
    session_->setMinPts(50);
    QVERIFY(why->text() != text);
  }
};

WINDOW_TEST(TestFirstEps);
#include "tst_first_eps.moc"
