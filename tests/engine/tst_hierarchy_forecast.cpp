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
    const auto forecast = forecastHierarchy(cloud, 10);
    QVERIFY(forecast.has_value());
    QCOMPARE(forecast->seconds, 0.0);
    QCOMPARE(forecast->bytes, std::uint64_t{0});
  }

  void sizesAndTimes() {
    const auto cloud = generate({"blobs", 120000, 3, 1})->cloud;
    const auto forecast = forecastHierarchy(cloud, 8);
    QVERIFY(forecast.has_value());
    const Stopwatch time;
    const auto built = Hierarchy::build(cloud, {.minPts = 8});
    QVERIFY(built.has_value());
    const double bytes = static_cast<double>(forecast->bytes) / static_cast<double>(built->bytes());
    QVERIFY2(bytes > 0.7 && bytes < 1.4, qPrintable(QString::number(bytes)));
    QVERIFY(forecast->peakBytes > forecast->bytes);
    // Other work on the machine may fall on either side.
    const double seconds = forecast->seconds / time.seconds();
    qInfo("forecast / measured seconds: %.2f", seconds);
    QVERIFY2(seconds > 0.05 && seconds < 20, qPrintable(QString::number(seconds)));
  }

  /// In many dimensions the forecast itself must not take long, and says that the build does.
  void manyDimensions() {
    const auto cloud = generate({"unif", 200000, 60, 1})->cloud;
    const Stopwatch time;
    const auto forecast = forecastHierarchy(cloud, 10);
    QVERIFY(forecast.has_value());
    qInfo("forecast in %.2f s: %.0f s", time.seconds(), forecast->seconds);
    QVERIFY(forecast->seconds > 0.1);  // how much longer depends on the number of cores
  }

  void stops() {
    const auto cloud = generate({"unif", 50000, 2, 1})->cloud;
    std::stop_source stop;
    stop.request_stop();
    Task task;
    task.stop = stop.get_token();
    QCOMPARE(forecastHierarchy(cloud, 10, task).error().kind, ErrorKind::Cancelled);
  }
};

GUILESS_TEST(TestHierarchyForecast);
#include "tst_hierarchy_forecast.moc"
