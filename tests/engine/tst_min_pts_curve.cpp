#include <QtTest>
#include <algorithm>
#include <random>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/min_pts_curve.h"
#include "tests/test_program.h"

using namespace clusterloom;

/// Every minPts at one ε, against a run for each minPts.
class TestMinPtsCurve : public QObject {
  Q_OBJECT

 private slots:
  void againstRuns_data() {
    QTest::addColumn<QString>("kind");
    for (const std::string& kind : draws::kAllKinds) QTest::newRow(kind.c_str()) << kind.c_str();
  }

  void againstRuns() {
    QFETCH(QString, kind);
    std::mt19937_64 random(std::hash<std::string>{}(kind.toStdString()));
    const auto backend = makeBackend("cpu", {.threads = 2});
    for (int round = 0; round < 8; ++round) {
      const std::size_t n = 1 + random() % 60;
      const PointCloud cloud = draws::draw(random, kind.toStdString(), n, 1 + random() % 3);
      const double eps = draws::drawEps(random, cloud);
      const auto table = (*backend)->neighbourTable(cloud, eps, {}, {});
      QVERIFY(table.has_value());
      const auto curve = minPtsCurve(*table);
      QVERIFY(curve.has_value());
      QCOMPARE(curve->minPts.front(), std::uint64_t{1});
      QVERIFY(std::is_sorted(curve->minPts.begin(), curve->minPts.end()));
      QCOMPARE(curve->clusters.size(), curve->minPts.size());
      for (std::uint64_t minPts = 1; minPts <= n + 1; ++minPts) {
        const auto row = static_cast<std::size_t>(
            std::upper_bound(curve->minPts.begin(), curve->minPts.end(), minPts) -
            curve->minPts.begin() - 1);
        const auto run = bruteForceDbscan(cloud, {eps, static_cast<std::int64_t>(minPts)});
        QVERIFY(run.has_value());
        QCOMPARE(curve->clusters[row], static_cast<std::uint32_t>(run->clusters));
        QCOMPARE(std::uint64_t{curve->core[row]}, run->coreCount);
        QCOMPARE(std::uint64_t{curve->noise[row]}, run->noiseCount);
      }
    }
  }

  void stopsAndNothing() {
    const auto none = minPtsCurve(NeighbourTable{});
    QVERIFY(none.has_value());
    QCOMPARE(none->clusters, std::vector<std::uint32_t>{0});
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    NeighbourTable one;
    one.offsets = {0, 1};
    one.ids.push_back(0);
    QCOMPARE(minPtsCurve(one, task).error().kind, ErrorKind::Cancelled);
  }
};

GUILESS_TEST(TestMinPtsCurve);
#include "tst_min_pts_curve.moc"
