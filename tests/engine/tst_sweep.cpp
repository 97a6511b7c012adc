#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/sweep.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestSweep : public QObject {
  Q_OBJECT

 private slots:
  void geometricSteps() {
    const auto eps = geometricEps(0.1, 10.0, 5);
    QVERIFY(eps.has_value());
    QCOMPARE(eps->size(), std::size_t{5});
    QCOMPARE(eps->front(), 0.1);
    QCOMPARE(eps->back(), 10.0);
    for (std::size_t i = 1; i < 5; ++i)
      QVERIFY(std::abs((*eps)[i] / (*eps)[i - 1] - std::sqrt(std::sqrt(100.0))) < 1e-12);
  }

  void geometricEnds() {
    QCOMPARE(*geometricEps(0.3, 0.7, 1), std::vector<double>{0.3});
    QCOMPARE(*geometricEps(0.3, 0.7, 2), (std::vector<double>{0.3, 0.7}));
    QCOMPARE(*geometricEps(0.3, 0.3, 3), (std::vector<double>{0.3, 0.3, 0.3}));
    const auto wide = geometricEps(1e-300, 1e300, 101);  // the ratio alone would overflow
    QVERIFY(wide.has_value());
    QVERIFY(std::is_sorted(wide->begin(), wide->end()));
    QVERIFY(std::abs(std::log10((*wide)[50])) < 1e-9);
    const auto narrow = geometricEps(1.0, std::nextafter(1.0, 2.0), 10000);
    QVERIFY(narrow.has_value());
    QVERIFY(std::is_sorted(narrow->begin(), narrow->end()));
  }

  void geometricRefuses() {
    const double inf = std::numeric_limits<double>::infinity();
    for (const auto& [low, high, count] :
         std::vector<std::tuple<double, double, int>>{{0, 1, 3},
                                                      {-1, 1, 3},
                                                      {2, 1, 3},
                                                      {1, inf, 3},
                                                      {std::nan(""), 1, 3},
                                                      {1, std::nan(""), 3},
                                                      {1, 2, 0},
                                                      {1, 2, -5},
                                                      {1, 2, 10001}}) {
      const auto refused = geometricEps(low, high, count);
      QVERIFY(!refused);
      QCOMPARE(refused.error().kind, ErrorKind::BadCall);
    }
  }

  void sweepsAsBruteForceWould() {
    std::mt19937_64 random(1);
    const PointCloud cloud = draws::draw(random, "blobs", 500, 2);
    const auto backend = makeBackend("cpu", {});
    const auto eps = geometricEps(0.02, 5, 15);
    std::vector<double> heard;
    double last = -1;
    Task task;
    task.progress = [&](std::string_view, double fraction) {
      QVERIFY(fraction >= last && fraction <= 1);
      last = fraction;
    };
    const auto sweep = sweepEps(
        **backend, cloud, *eps, 4, {}, [&](const SweepPoint& point) { heard.push_back(point.eps); },
        task);
    QVERIFY(sweep.has_value());
    QCOMPARE(heard, *eps);
    QCOMPARE(last, 1.0);
    QCOMPARE(sweep->size(), eps->size());
    for (const SweepPoint& point : *sweep) {
      const auto judge = bruteForceDbscan(cloud, {point.eps, 4});
      QCOMPARE(point.clusters, judge->clusters);
      QCOMPARE(point.noise, judge->noiseCount);
      std::int64_t largest = 0;
      for (std::int32_t c = 0; c < judge->clusters; ++c)
        largest = std::max<std::int64_t>(largest,
                                         std::count(judge->labels.begin(), judge->labels.end(), c));
      QCOMPARE(static_cast<std::int64_t>(point.largest), largest);
      QVERIFY(point.seconds > 0);
    }
  }

  void stopsAfterTheStepItIsToldAt() {
    const PointCloud cloud = draws::fromRows({{0}, {1}, {2}});
    const auto backend = makeBackend("cpu", {});
    std::stop_source source;
    int steps = 0;
    const auto sweep = sweepEps(**backend, cloud, {1, 2, 3, 4}, 2, {},
                                [&](const SweepPoint&) {
                                  if (++steps == 2) source.request_stop();
                                },
                                {source.get_token(), {}});
    QVERIFY(!sweep);
    QCOMPARE(sweep.error().kind, ErrorKind::Cancelled);
    QCOMPARE(steps, 2);
  }

  void passesErrorsOn() {
    const PointCloud cloud = draws::fromRows({{0}, {1}});
    const auto backend = makeBackend("cpu", {});
    QCOMPARE(sweepEps(**backend, cloud, {1, -1}, 2, {}, {}).error().kind, ErrorKind::BadCall);
    QCOMPARE(sweepEps(**backend, cloud, {1}, 0, {}, {}).error().kind, ErrorKind::BadCall);
    QVERIFY(sweepEps(**backend, cloud, {}, 2, {}, {})->empty());
  }
};

APPLESS_TEST(TestSweep);
#include "tst_sweep.moc"
