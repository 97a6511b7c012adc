#include <QtTest>
#include <cmath>
#include <random>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// How many cases to draw; CLUSTERLOOM_DRAWS in the environment asks for more (or fewer) of them,
/// CLUSTERLOOM_SEED starts elsewhere.
int cases() {
  const int asked = qEnvironmentVariableIntValue("CLUSTERLOOM_DRAWS");
  return asked > 0 ? asked : 250;
}
std::uint64_t firstSeed() {
  return static_cast<std::uint64_t>(qEnvironmentVariableIntValue("CLUSTERLOOM_SEED"));
}

std::unique_ptr<Backend> cpu(int threads) {
  return std::move(*makeBackend("cpu", {.threads = threads}));
}

std::string about(std::uint64_t seed, const std::string& kind, const PointCloud& cloud, double eps,
                  std::int64_t minPts) {
  char number[40];
  std::snprintf(number, sizeof number, "%a", eps);
  return "seed " + std::to_string(seed) + ", " + kind + ", " + std::to_string(cloud.size()) +
         " × " + std::to_string(cloud.dims()) + ", eps " + number + ", minPts " +
         std::to_string(minPts) + ", ";
}

}  // namespace

/// What must hold for any cloud, drawn at random from a seed that a failure names.
class TestProperties : public QObject {
  Q_OBJECT

 private slots:
  void everyStrategyGivesTheJudgesAnswer() {
    const auto one = cpu(1);
    const auto two = cpu(2);
    const auto four = cpu(4);
    const Backend* backends[] = {one.get(), two.get(), four.get()};
    int withClusters = 0;
    for (std::uint64_t seed = firstSeed(); seed < firstSeed() + cases(); ++seed) {
      std::mt19937_64 random(seed);
      const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const std::size_t n = 1 + random() % (seed % 10 == 0 ? 900 : 250);
      const PointCloud cloud = draws::draw(random, kind, n, 1 + random() % 12);
      for (int i = 0; i < 2; ++i) {
        const double eps = draws::drawEps(random, cloud);
        const auto minPts = static_cast<std::int64_t>(1 + random() % (i == 0 ? 6 : 25));
        const auto clustering = bruteForceDbscan(cloud, {eps, minPts});
        const auto counts = bruteForceCounts(cloud, eps);
        const auto pairs = bruteForcePairs(cloud, eps);
        QVERIFY(clustering && counts && pairs);
        withClusters += clustering->clusters > 1;
        for (int j = 0; j < 5; ++j) {
          const Strategy forLabels =
              j == 0 ? Strategy{} : strategies::draw(random, cloud.dims(), strategies::For::Dbscan);
          std::string what =
              agreement::ofDbscan(*backends[random() % 3], cloud, *clustering, forLabels);
          if (what.empty() && j < 3) {
            const Strategy forPairs =
                j == 0 ? Strategy{} : strategies::draw(random, cloud.dims(), strategies::For::Join);
            what =
                agreement::ofJoins(*backends[random() % 3], cloud, eps, *counts, *pairs, forPairs);
          }
          QVERIFY2(what.empty(), (about(seed, kind, cloud, eps, minPts) + what).c_str());
        }
      }
    }
    QVERIFY(withClusters > cases() / 10);  // the draws hold clusters often enough
  }

  // Points on the corners of cells, a few units in the last place around them, at many scales and
  // offsets: whatever the grid rounds, it must not lose a pair.
  void gridLosesNoPairNearBorders() {
    const auto backend = cpu(2);
    for (std::uint64_t seed = firstSeed(); seed < firstSeed() + cases(); ++seed) {
      std::mt19937_64 random(seed + 1000000);
      const std::size_t dims = 1 + random() % 3;
      const double eps = std::ldexp(1 + (random() % 2 ? draws::unit(random) : 0),
                                    static_cast<int>(random() % 40) - 20);
      const double cells = std::pow(10.0, 12 * draws::unit(random));
      const double origin =
          random() % 2 ? 0.0 : eps * cells * (random() % 2 ? 1 : -1) * draws::unit(random);
      std::vector<std::vector<double>> rows(120, std::vector<double>(dims));
      for (auto& row : rows)
        for (double& x : row) {
          const double far = random() % 2 ? std::floor(cells) : 0.0;
          const double half = static_cast<double>(random() % 9) / 2;  // reach 2 has sides of ε/2
          x = draws::nudged(random, origin + (far + half) * eps);
        }
      const PointCloud cloud = draws::fromRows(rows);
      const auto counts = bruteForceCounts(cloud, eps);
      const auto pairs = bruteForcePairs(cloud, eps);
      const auto clustering = bruteForceDbscan(cloud, {eps, 3});
      QVERIFY(counts && pairs && clustering);
      for (int j = 0; j < 4; ++j) {
        std::string what = agreement::ofDbscan(
            *backend, cloud, *clustering,
            j == 0 ? Strategy{} : strategies::draw(random, dims, strategies::For::Dbscan));
        if (what.empty())
          what = agreement::ofJoins(*backend, cloud, eps, *counts, *pairs,
                                    strategies::draw(random, dims, strategies::For::Join));
        QVERIFY2(what.empty(), (about(seed, "borders", cloud, eps, 3) + what).c_str());
      }
    }
  }

  // The range over ε is so large that linear ids of even cells would pass 63 bits.
  void slicesStayExact() {
    const auto backend = cpu(2);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = 1 + random() % 8;
      std::vector<std::vector<double>> rows;
      for (int blob = 0; blob < 12; ++blob) {
        std::vector<double> centre(dims);
        for (double& x : centre) x = 1e9 * draws::unit(random) * static_cast<double>(random() % 3);
        for (int i = 0; i < 15; ++i) {
          rows.push_back(centre);
          for (double& x : rows.back()) x += 1e-5 * static_cast<double>(random() % 8);
        }
      }
      const PointCloud cloud = draws::fromRows(rows);
      const double eps = 2e-5;
      const auto counts = bruteForceCounts(cloud, eps);
      const auto pairs = bruteForcePairs(cloud, eps);
      const auto clustering = bruteForceDbscan(cloud, {eps, 4});
      QVERIFY(counts && pairs && clustering);
      for (int j = 0; j < 8; ++j) {
        std::string what = agreement::ofDbscan(
            *backend, cloud, *clustering,
            j == 0 ? Strategy{} : strategies::draw(random, dims, strategies::For::Dbscan));
        if (what.empty())
          what = agreement::ofJoins(*backend, cloud, eps, *counts, *pairs,
                                    strategies::draw(random, dims, strategies::For::Join));
        QVERIFY2(what.empty(), (about(seed, "slices", cloud, eps, 4) + what).c_str());
      }
    }
  }

  void translationOnALatticeChangesNothing() {
    const auto backend = cpu(2);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      std::mt19937_64 random(seed);
      const std::size_t dims = 1 + random() % 4;
      const PointCloud cloud = draws::draw(random, "lattice", 200, dims);
      const double eps = std::sqrt(static_cast<double>(1 + random() % 6));
      PointCloud moved = cloud;
      for (auto& column : moved.columns) {
        const double by = static_cast<double>(random() % 2000000) - 1e6;
        for (double& x : column) x += by;
      }
      const Strategy strategy = strategies::draw(random, dims, strategies::For::Dbscan);
      const auto here = backend->dbscan(cloud, {eps, 5}, strategy, {});
      const auto there = backend->dbscan(moved, {eps, 5}, strategy, {});
      QVERIFY(here && there);
      QVERIFY2(here->labels == there->labels, strategies::text(strategy).c_str());
    }
  }

  // More ε never unmakes a core point and never parts two core points of one cluster.
  void clustersGrowWithEps() {
    const auto backend = cpu(2);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      std::mt19937_64 random(seed);
      const PointCloud cloud = draws::draw(random, "blobs", 400, 1 + random() % 5);
      const double eps = draws::drawEps(random, cloud);
      const auto small = backend->dbscan(cloud, {eps, 4}, {}, {});
      const auto large = backend->dbscan(cloud, {1.3 * eps, 4}, {}, {});
      QVERIFY(small && large);
      std::vector<std::int32_t> became(static_cast<std::size_t>(small->clusters), -5);
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        if (small->roles[p] != PointRole::Core) continue;
        QVERIFY(large->roles[p] == PointRole::Core);
        std::int32_t& label = became[static_cast<std::size_t>(small->labels[p])];
        if (label == -5) label = large->labels[p];
        QCOMPARE(large->labels[p], label);
      }
    }
  }

  void statsAreFilled() {
    std::mt19937_64 random(5);
    const PointCloud cloud = draws::draw(random, "blobs", 3000, 3);
    const auto backend = cpu(2);
    const auto found = backend->dbscan(cloud, {0.3, 5}, {}, {});
    QVERIFY(found.has_value());
    QCOMPARE(found->stats.backend, std::string("cpu"));
    QCOMPARE(found->stats.threads, 2);
    QVERIFY(found->stats.indexedDims >= 1 && found->stats.indexedDims <= 3);
    QVERIFY(found->stats.cells > 1 && found->stats.cells <= cloud.size());
    QVERIFY(!found->stats.strategy.empty());
    const StageSeconds& seconds = found->stats.seconds;
    QVERIFY(seconds.total > 0);
    QVERIFY(seconds.index + seconds.join + seconds.label <= seconds.total * 1.001);
  }
};

APPLESS_TEST(TestProperties);
#include "tst_properties.moc"
