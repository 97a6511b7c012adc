#include <QtTest>
#include <cmath>
#include <random>

#include "agreement.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/cpu/brute_force.h"
#include "engine/grid/cell_geometry.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

std::unique_ptr<Backend> cpu(int threads = 2) {
  return std::move(*makeBackend("cpu", {.threads = threads}));
}

/// Points around a few places, with others at exactly ε, and a unit in the last place beside it,
/// and one point far outside in each dimension.
PointCloud tiesAndOutliers(std::size_t dims, double far, std::mt19937_64& random) {
  std::vector<std::vector<double>> rows;
  for (int place = 0; place < 6; ++place) {
    std::vector<double> centre(dims);
    for (double& x : centre) x = 0.75 * static_cast<double>(random() % 5);
    for (int i = 0; i < 12; ++i) {
      rows.push_back(centre);
      const std::size_t j = random() % dims;
      rows.back()[j] = draws::nudged(random, centre[j] + 0.75 * static_cast<double>(random() % 3));
    }
    rows.push_back(rows.back());  // and a duplicate
  }
  for (std::size_t j = 0; j < dims; ++j) {
    rows.push_back(std::vector<double>(dims, 1.0));
    rows.back()[j] = random() % 2 ? far : -far;
  }
  return draws::fromRows(rows);
}

}  // namespace

/// Clouds with outliers: every strategy gives brute force's answer, and cells stay small.
class Outliers : public QObject {
  Q_OBJECT

 private slots:
  void everyPatternGivesTheJudgesAnswer_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("dims");
    for (const std::string& kind : draws::kOutlierKinds)
      for (const int dims : {1, 2, 3, 4, 5, 6, 7, 8, 20})
        QTest::addRow("%s, %d dimensions", kind.c_str(), dims)
            << QString::fromStdString(kind) << dims;
    for (const int dims : {1, 2, 3, 6})
      QTest::addRow("ties, %d dimensions", dims) << "ties" << dims;
  }
  void everyPatternGivesTheJudgesAnswer() {
    QFETCH(QString, kind);
    QFETCH(int, dims);
    const auto n = static_cast<std::size_t>(dims);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims));
    for (int draw = 0; draw < 3; ++draw) {
      // A second thread mostly waits in clouds this small.
      const auto backend = cpu(draw == 2 ? 2 : 1);
      const bool ties = kind == "ties";
      const PointCloud cloud =
          ties ? tiesAndOutliers(n, draw == 0 ? 1e10 : 3.4e38, random)
               : draws::draw(random, kind.toStdString(), 150 + 60 * std::size_t(draw), n);
      // The last one is a usual choice; the others are ties.
      const double eps = ties        ? 0.75
                         : draw == 2 ? 0.6 * std::sqrt(dims)
                                     : draws::drawEps(random, cloud);
      const auto clustering = bruteForceDbscan(cloud, {eps, 4});
      const auto counts = bruteForceCounts(cloud, eps);
      const auto pairs = bruteForcePairs(cloud, eps);
      QVERIFY(clustering && counts && pairs);
      const int most = static_cast<int>(std::min<std::size_t>(n, 8));
      std::vector<Strategy> all{{}};
      for (const AccessPattern pattern : strategies::kPatterns)
        for (const Precision precision : strategies::kPrecisions) {
          // 3⁸ adjacent cells are many to ask for one by one.
          const int k = most > 6 && pattern != AccessPattern::Tile ? 5 : most;
          all.push_back({.pattern = pattern, .indexedDims = k, .precision = precision});
          all.push_back({.pattern = pattern,
                         .order = QueryOrder::Bins,
                         .indexedDims = 1 + static_cast<int>(random() % std::size_t(k)),
                         .sortIdu = Toggle::On,
                         .precision = precision});
        }
      all.push_back({.indexedDims = most, .denseCells = Toggle::On});
      for (const Strategy& strategy : all) {
        std::string what;
        if (strategies::legal(strategy, strategies::For::Dbscan))
          what = agreement::ofDbscan(*backend, cloud, *clustering, strategy);
        if (what.empty() && strategies::legal(strategy, strategies::For::Join))
          what = agreement::ofJoins(*backend, cloud, eps, *counts, *pairs, strategy);
        QVERIFY2(what.empty(), (std::to_string(draw) + ": " + what).c_str());
      }
    }
  }

  // With one value for "no data" in each dimension the other points have the cells that they would
  // have without it.
  void oneValueDoesNotWidenTheCells_data() {
    QTest::addColumn<int>("dims");
    for (int dims = 1; dims <= 8; ++dims) QTest::addRow("%d dimensions", dims) << dims;
  }
  void oneValueDoesNotWidenTheCells() {
    QFETCH(int, dims);
    std::mt19937_64 random(5);
    const auto n = static_cast<std::size_t>(dims);
    const double eps = dims < 4 ? 0.2 : 1.0;
    const PointCloud cloud = draws::draw(random, "nodata", 3000, n);
    const PointCloud plain = draws::draw(random, "uniform", 3000, n);
    std::vector<int> all(n);
    for (int j = 0; j < dims; ++j) all[std::size_t(j)] = j;
    const auto uniform = makeCellGeometry(plain, boundsOf(plain), eps, 1, all);
    for (int reach = 1; reach <= 2; ++reach) {
      const auto geometry = makeCellGeometry(cloud, boundsOf(cloud), eps, reach, all);
      for (std::size_t i = 0; i < n; ++i) {
        QVERIFY(geometry->hasSlices(i));
        QVERIFY(!uniform->hasSlices(i));
        QVERIFY(geometry->span[i] <= 1.000001 * eps / reach);
        QVERIFY(geometry->pairSpan[i] <= 2.000001 * eps / reach);
        if (reach == 1) QVERIFY(geometry->extent[i] <= uniform->extent[i] + 2);
      }
    }
    const auto backend = cpu();
    const auto found = backend->count(cloud, eps, {.indexedDims = dims}, {});
    const auto without = backend->count(plain, eps, {.indexedDims = dims}, {});
    QVERIFY(found && without);
    QVERIFY(found->candidates < without->candidates + without->candidates / 5 + 4 * 3000);
  }

  // Precision 32 goes on where cells are narrow; where they had to be merged it still rejects.
  void precision32Stays() {
    std::mt19937_64 random(3);
    const auto backend = cpu();
    for (const char* kind : {"nodata", "outliers 1e38", "far clusters", "log-normal"}) {
      const PointCloud cloud = draws::draw(random, kind, 400, 3);
      const auto found =
          backend->count(cloud, 0.7, {.indexedDims = 3, .precision = Precision::Single}, {});
      QVERIFY(found.has_value());
      QVERIFY2(found->stats.strategy.find("32-bit") != std::string::npos, kind);
      QVERIFY(found->counts == bruteForceCounts(cloud, 0.7)->counts);
    }
  }
};

APPLESS_TEST(Outliers);
#include "tst_outliers.moc"
