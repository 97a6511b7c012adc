// Forecasts of joins against the joins themselves.
#include <QtTest>
#include <cmath>
#include <random>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/cpu/brute_force.h"
#include "engine/dbscan/join_forecast.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestJoinForecast : public QObject {
  Q_OBJECT

 private slots:
  // Few points: all of them are asked, and the number of pairs is exact.
  void isExactForFewPoints() {
    const auto backend = makeBackend("cpu", {});
    QVERIFY(backend.has_value());
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[seed % draws::kAllKinds.size()];
      const PointCloud cloud = draws::draw(random, kind, 1 + random() % 500, 1 + random() % 5);
      const double eps = draws::drawEps(random, cloud);
      const auto forecast = forecastJoin(**backend, cloud, eps, {});
      QVERIFY2(forecast.has_value(), kind.c_str());
      QVERIFY(forecast->isWhole());
      QCOMPARE(forecast->queries, std::uint64_t{cloud.size()});
      const auto counts = bruteForceCounts(cloud, eps);
      QCOMPARE(std::round(forecast->pairs), static_cast<double>(counts->pairs));
      QCOMPARE(forecast->pairsError, 0.0);
      QVERIFY(forecast->seconds > 0);
      QVERIFY(std::abs(forecast->pairListBytes() - 8.0 * static_cast<double>(counts->pairs)) < 1);
    }
  }

  // Within five standard errors; the sample is the same every time.
  void samplesLargeClouds_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("eps");
    QTest::newRow("uniform") << "unif" << 0.5;
    QTest::newRow("exponential") << "expo" << 0.0005;
    QTest::newRow("blobs") << "blobs" << 0.3;
    QTest::newRow("lattice") << "lattice" << 1.0;
  }
  void samplesLargeClouds() {
    QFETCH(QString, kind);
    QFETCH(double, eps);
    const auto made =
        generate({.kind = kind.toStdString(), .points = 250000, .dims = 2, .seed = 3});
    QVERIFY(made.has_value());
    const auto backend = makeBackend("cpu", {});
    const auto forecast = forecastJoin(**backend, made->cloud, eps, {});
    QVERIFY(forecast.has_value());
    QVERIFY(!forecast->isWhole() && forecast->queries >= 300);
    const auto counts = (*backend)->count(made->cloud, eps, {.indexedDims = 2}, {});
    QVERIFY(counts.has_value());
    const double pairs = static_cast<double>(counts->pairs);
    QVERIFY2(
        std::abs(forecast->pairs - pairs) <= 5 * forecast->pairsError + 1e-9 * pairs,
        qPrintable(
            QString("%1 ± %2, not %3").arg(forecast->pairs).arg(forecast->pairsError).arg(pairs)));
    QVERIFY(forecast->pairsError < 0.1 * pairs);
    QVERIFY(std::abs(forecast->candidates / static_cast<double>(counts->candidates) - 1) < 0.2);
    QVERIFY(forecast->seconds > 0 && forecast->secondsError >= 0);
    QCOMPARE(forecastJoin(**backend, made->cloud, eps, {})->pairs, forecast->pairs);
  }

  // A run by products compares each pair once, the queries of a sample do it twice.
  void isTheMostWhereProductsCompare() {
    const auto backend = makeBackend("cpu", {});
    std::mt19937_64 random(7);
    for (const std::size_t dims : {2, 60, 200}) {
      const PointCloud cloud = draws::draw(random, "uniform", 4000, dims);
      const double eps = 0.4 * std::sqrt(double(dims));
      const auto run = (*backend)->count(cloud, eps, {}, {});
      const auto forecast = forecastJoin(**backend, cloud, eps, {});
      QVERIFY(run && forecast);
      QCOMPARE(forecast->isMost, dims > 2);
      QCOMPARE(run->stats.strategy.starts_with("products"), dims > 2);
    }
  }

  void samplesAreDistinctAndInOrder() {
    for (const std::uint64_t seed : {0, 1, 2})
      for (const std::uint64_t wanted : {1, 7, 100, 1000, 2000}) {
        const auto ids = stratifiedSample(1000, wanted, seed);
        QCOMPARE(ids.size(), std::size_t(std::min<std::uint64_t>(wanted, 1000)));
        for (std::size_t i = 0; i < ids.size(); ++i) {
          QVERIFY(ids[i] < 1000);
          QVERIFY(i == 0 || ids[i - 1] < ids[i]);
        }
      }
    QVERIFY(stratifiedSample(1000, 100, 1) != stratifiedSample(1000, 100, 2));
  }

  void refusesAndStops() {
    const auto backend = makeBackend("cpu", {});
    const PointCloud cloud = draws::fromRows({{0}, {1}, {2}});
    QCOMPARE(forecastJoin(**backend, PointCloud{}, 1, {}).error().kind, ErrorKind::BadInput);
    QCOMPARE(forecastJoin(**backend, cloud, -1, {}).error().kind, ErrorKind::BadCall);
    std::stop_source source;
    source.request_stop();
    QCOMPARE(forecastJoin(**backend, cloud, 1, {source.get_token(), {}}).error().kind,
             ErrorKind::Cancelled);
  }
};

GUILESS_TEST(TestJoinForecast);
#include "tst_join_forecast.moc"
