#include <QtTest>

#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/forecast.h"
#include "engine/hierarchy/hierarchy.h"
#include "tests/test_program.h"

using namespace clusterloom;

/// What building a hierarchy is expected to take, against building it.
class TestHierarchyForecast : public QObject {
  Q_OBJECT

 private slots:
  void possibleMinPts() {
    QVERIFY(hierarchyPossible(1000, 1));
    QVERIFY(hierarchyPossible(1000, 64));
    QVERIFY(!hierarchyPossible(1000, 65));
    QVERIFY(!hierarchyPossible(1000, 1000));
    QVERIFY(hierarchyPossible(1000, 1001));  // no point is core then
  }

  void smallCloudsNeedNone() {
    const auto cloud = generate({"unif", 5000, 2, 1})->cloud;
    const auto forecast = forecastHierarchy(cloud, {.minPts = 10});
    QVERIFY(forecast.has_value());
    QCOMPARE(forecast->seconds, 0.0);
    QCOMPARE(forecast->bytes, std::uint64_t{0});
  }

  void sizesAndTimes_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << "unif" << 150000 << 2;
    QTest::newRow("3-D") << "blobs" << 150000 << 3;
    QTest::newRow("5-D") << "expo" << 80000 << 5;
    QTest::newRow("8-D") << "unif" << 40000 << 8;
    QTest::newRow("24-D") << "blobs" << 30000 << 24;
    QTest::newRow("100-D") << "unif" << 20000 << 100;
    QTest::newRow("400-D") << "blobs" << 9000 << 400;
  }
  /// Processor times: other work on the machine changes them only where it begins or ends between
  /// both measurements, on a core that two threads share.
  void sizesAndTimes() {
    QFETCH(QString, kind);
    QFETCH(int, points);
    QFETCH(int, dims);
    const auto cloud =
        generate({kind.toStdString(), std::uint64_t(points), std::size_t(dims), 1})->cloud;
    double ratio = 0;
    for (int turn = 0; turn < 3 && !(ratio > 0.5 && ratio < 2); ++turn) {
      const auto forecast = forecastHierarchy(cloud, {.minPts = 8});
      QVERIFY(forecast.has_value());
      const double start = threadSeconds();
      const auto built = Hierarchy::build(cloud, {.minPts = 8, .threads = 1});
      ratio = forecast->processorSeconds / (threadSeconds() - start);
      qInfo("forecast / measured seconds: %.2f", ratio);
      QVERIFY(built.has_value());
      const double bytes =
          static_cast<double>(forecast->bytes) / static_cast<double>(built->bytes());
      QVERIFY2(bytes > 0.7 && bytes < 1.4, qPrintable(QString::number(bytes)));
      QVERIFY(forecast->peakBytes > forecast->bytes);
      // Several processors share the work, but not all of it.
      QVERIFY(forecast->seconds <= forecast->processorSeconds);
      QVERIFY(forecast->seconds >= 0.1 * forecast->processorSeconds);
    }
    QVERIFY2(ratio > 0.5 && ratio < 2, qPrintable(QString::number(ratio)));
  }

  /// In many dimensions the forecast itself must not take long, and says that the build does.
  void manyDimensions() {
    const auto cloud = generate({"unif", 200000, 60, 1})->cloud;
    const Stopwatch time;
    const auto forecast = forecastHierarchy(cloud, {.minPts = 10});
    QVERIFY(forecast.has_value());
    qInfo("forecast in %.2f s: %.0f s", time.seconds(), forecast->seconds);
    QVERIFY(forecast->seconds > 0.1);  // how much longer depends on the number of cores
  }

  // In many dimensions the time grows with the square of the points: a few thousand are no small
  // cloud, and samples are small, so that the forecast takes less than what it forecasts.
  void fewPointsOfManyDimensions() {
    const auto cloud = generate({"unif", 2500, 300, 1})->cloud;
    const auto forecast = forecastHierarchy(cloud, {.minPts = 5});
    QVERIFY(forecast.has_value());
    QVERIFY(forecast->processorSeconds > 0);
    QVERIFY(forecast->bytes > 0);
    const auto few = forecastHierarchy(generate({"unif", 500, 300, 1})->cloud, {.minPts = 5});
    QVERIFY(few.has_value());
    QCOMPARE(few->processorSeconds, 0.0);
  }

  void stops() {
    const auto cloud = generate({"unif", 50000, 2, 1})->cloud;
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    QCOMPARE(forecastHierarchy(cloud, {.minPts = 10}, task).error().kind, ErrorKind::Cancelled);
  }
};

GUILESS_TEST(TestHierarchyForecast);
#include "tst_hierarchy_forecast.moc"
