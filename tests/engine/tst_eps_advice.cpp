#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/hierarchy/eps_advice.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

bool has(const EpsAdvice& advice, EpsFlag flag) {
  return std::find(advice.flags.begin(), advice.flags.end(), flag) != advice.flags.end();
}

EpsCurve madeCurve() {
  EpsCurve curve;
  const auto row = [&](double eps, std::uint32_t clusters, std::uint32_t noise,
                       std::uint32_t largest) {
    curve.eps.push_back(eps);
    curve.clusters.push_back(clusters);
    curve.noise.push_back(noise);
    curve.largest.push_back(largest);
    if (curve.larger.empty() || curve.larger.back().clusters != clusters)
      curve.larger.push_back({eps, clusters});
  };
  row(1, 1, 90, 10);
  row(2, 3, 40, 20);
  row(3, 3, 30, 22);  // the same clusters, with more points
  row(8, 2, 10, 50);
  row(8.2, 1, 0, 100);
  return curve;
}

}  // namespace

/// What the exact curve says of an ε, on a made curve and against runs.
class TestEpsAdvice : public QObject {
  Q_OBJECT

 private slots:
  void rangesAndFlags() {
    const EpsCurve curve = madeCurve();
    EpsAdvice advice = adviceAt(curve, 100, 4);
    QCOMPARE(advice.clusters, 3U);
    QCOMPARE(advice.noise, 30U);
    QCOMPARE(advice.largest, 22U);
    QCOMPARE(advice.from, 2.0);
    QCOMPARE(advice.to, 8.0);
    QCOMPARE(advice.below, 1U);
    QCOMPARE(advice.above, 2U);
    QVERIFY(advice.flags.empty());
    advice = adviceAt(curve, 100, 2);  // the row holds at its own ε
    QCOMPARE(advice.clusters, 3U);
    QVERIFY(has(advice, EpsFlag::Unstable));
    advice = adviceAt(curve, 100, 7.9);
    QVERIFY(has(advice, EpsFlag::Unstable) && advice.flags.size() == 1);
    advice = adviceAt(curve, 100, 8.1);
    QVERIFY(has(advice, EpsFlag::Unstable));
    QCOMPARE(advice.above, 1U);
    advice = adviceAt(curve, 100, 50);
    QVERIFY(std::isinf(advice.to));
    QVERIFY(has(advice, EpsFlag::OneCluster) && !has(advice, EpsFlag::Unstable));
    advice = adviceAt(curve, 100, 1.5);
    QVERIFY(has(advice, EpsFlag::MostlyNoise));
    advice = adviceAt(curve, 100, 0.5);
    QVERIFY(advice.flags == std::vector<EpsFlag>{EpsFlag::AllNoise});
    QCOMPARE(advice.from, 0.0);
    QCOMPARE(advice.to, 1.0);
    QCOMPARE(advice.noise, 100U);
    // Where there never is more than one cluster, one cluster is no flaw.
    EpsCurve one;
    one.eps.push_back(1);
    one.clusters.push_back(1);
    one.noise.push_back(0);
    one.largest.push_back(5);
    QVERIFY(adviceAt(one, 5, 2).flags.empty());
    QCOMPARE(adviceAt(EpsCurve{}, 5, 2).flags.front(), EpsFlag::AllNoise);
  }

  /// A ninth cluster of 15 points does not make eight of 12,800 unstable.
  void smallClustersDoNotCount() {
    std::vector<std::vector<double>> rows;
    for (int block = 0; block < 8; ++block)
      for (int i = 0; i < 1600; ++i) rows.push_back({20 * block + i % 40 * 0.1, i / 40 * 0.1});
    for (int i = 0; i < 15; ++i) rows.push_back({-20 + i % 5 * 0.3, i / 5 * 0.3});
    const auto hierarchy = Hierarchy::build(draws::fromRows(rows), {.minPts = 4});
    QVERIFY(hierarchy.has_value());
    const auto curve = epsCurve(*hierarchy);
    QVERIFY(curve.has_value());
    const EpsAdvice ninth = adviceAt(*curve, rows.size(), 0.305);
    QCOMPARE(ninth.clusters, 9U);
    QCOMPARE(ninth.below, 8U);
    QVERIFY(ninth.flags.empty() && ninth.numberChangesNearby);
    const EpsAdvice between = adviceAt(*curve, rows.size(), 0.2);
    QVERIFY(between.flags.empty() && !between.numberChangesNearby);
    QVERIFY(has(adviceAt(*curve, rows.size(), 0.102), EpsFlag::Unstable));
    // The eight, 16.1 apart, join.
    QVERIFY(has(adviceAt(*curve, rows.size(), 16), EpsFlag::Unstable));
  }

  void choices() {
    const EpsCurve curve = madeCurve();
    // Longest first, but what is flagged last.
    const std::vector<EpsChoice> found =
        stableChoices(curve, {{8.2, INFINITY, 1}, {2, 8, 3}, {8, 8.2, 2}}, 100, 2);
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(found[0].plateau.clusters, 3U);
    QVERIFY(std::abs(found[0].eps - 4) < 1e-12);
    QCOMPARE(found[0].noise, 30U);
    QCOMPARE(found[1].plateau.clusters, 1U);
    QVERIFY(stableChoices(curve, {}, 100, 3).empty());
  }

  /// The range that it names is where runs find the number of clusters to change.
  void againstRuns() {
    std::mt19937_64 random(9);
    const auto backend = makeBackend("cpu", {.threads = 1});
    for (int round = 0; round < 20; ++round) {
      const PointCloud cloud = draws::draw(random, round % 2 ? "blobs" : "tenths", 150, 2);
      const auto hierarchy = Hierarchy::build(cloud, {.minPts = 4, .threads = 1});
      QVERIFY(hierarchy.has_value());
      const auto curve = epsCurve(*hierarchy);
      QVERIFY(curve.has_value());
      const auto clustersAt = [&](double eps) {
        return static_cast<std::uint32_t>((*backend)->dbscan(cloud, {eps, 4}, {}, {})->clusters);
      };
      const double eps = draws::drawEps(random, cloud);
      const EpsAdvice advice = adviceAt(*curve, cloud.size(), eps);
      QCOMPARE(advice.clusters, clustersAt(eps));
      if (advice.from > 0) {
        QCOMPARE(clustersAt(advice.from), advice.clusters);
        QCOMPARE(clustersAt(std::nextafter(advice.from, 0.0)), advice.below);
        QVERIFY(advice.below != advice.clusters);
      }
      if (std::isfinite(advice.to)) {
        QCOMPARE(clustersAt(advice.to), advice.above);
        QCOMPARE(clustersAt(std::nextafter(advice.to, 0.0)), advice.clusters);
      }
    }
  }
};

GUILESS_TEST(TestEpsAdvice);
#include "tst_eps_advice.moc"
