#include <QTest>

#include <random>

#include "engine/backend.h"
#include "engine/cpu/brute_force.h"

using namespace clusterloom;

/// A first look at the CPU backend: both roads to DBSCAN against brute force.
class DbscanSmoke : public QObject {
  Q_OBJECT
 private slots:
  void agreesWithBruteForce_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("eps");
    for (int d = 1; d <= 9; ++d)
      QTest::addRow("%d dimensions", d) << d << 0.02 * std::pow(4.0, 1.0 * d / (d + 1)) * d;
  }
  void agreesWithBruteForce() {
    QFETCH(int, dims);
    QFETCH(double, eps);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims));
    PointCloud cloud;
    for (int j = 0; j < dims; ++j) {
      cloud.names.push_back("x" + std::to_string(j));
      auto& column = cloud.columns.emplace_back();
      for (int i = 0; i < 1200; ++i)
        column.push_back(static_cast<double>(random() >> 11) * 0x1p-53 * (i % 3 == 0 ? 1.0 : 0.1));
    }
    const auto backend = makeBackend("cpu", {.threads = 2});
    QVERIFY(backend.has_value());
    const DbscanParams params{eps, 5};
    const auto judge = bruteForceDbscan(cloud, params);
    QVERIFY(judge.has_value());
    for (const AccessPattern pattern : {AccessPattern::Tile, AccessPattern::Full,
                                        AccessPattern::Unicomp, AccessPattern::LidUnicomp})
      for (const Toggle dense : {Toggle::Auto, Toggle::Off}) {
        Strategy strategy;
        strategy.pattern = pattern;
        strategy.denseCells = dense;
        const auto result = (*backend)->dbscan(cloud, params, strategy, {});
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        QCOMPARE(result->labels, judge->labels);
        QVERIFY(result->roles == judge->roles);
        QCOMPARE(result->clusters, judge->clusters);
      }
  }
};

QTEST_APPLESS_MAIN(DbscanSmoke)
#include "tst_dbscan_smoke.moc"
