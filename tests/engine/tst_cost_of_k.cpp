// The cost model of the number of indexed dimensions against plain loops over all pairs.
#include <QtTest/QtTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "cloud_draws.h"
#include "engine/grid/cell_geometry.h"
#include "engine/join/cost_of_k.h"
#include "engine/join/join_plan.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

using Cell = std::vector<int>;

Cell cellOf(const CellGeometry& g, const PointCloud& cloud, std::size_t p) {
  Cell cell;
  for (std::size_t i = 0; i < g.dims.size(); ++i)
    cell.push_back(
        static_cast<int>(g.coordinate(cloud.columns[static_cast<std::size_t>(g.dims[i])][p], i)));
  return cell;
}

bool adjacent(const Cell& a, const Cell& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > 1) return false;
  return true;
}

/// What a join of all points searches for and compares at k, by plain loops; without SORTIDU.
struct Plain {
  double searches = 0;
  double compared = 0;
  double read = 0;  ///< coordinates, where distances end early and without a half pattern
  int depth = 1;
};

Plain plainly(const PointCloud& cloud, double eps, const std::vector<int>& order, std::size_t k,
              AccessPattern pattern) {
  const CellGeometry g =
      *makeCellGeometry(cloud, boundsOf(cloud), eps, 1, {order.begin(), order.begin() + k});
  std::set<Cell> cells;
  std::vector<std::set<int>> occupied(k);
  std::vector<Cell> of;
  for (std::size_t p = 0; p < cloud.size(); ++p) {
    of.push_back(cellOf(g, cloud, p));
    cells.insert(of.back());
    for (std::size_t i = 0; i < k; ++i) occupied[i].insert(of.back()[i]);
  }
  Plain plain;
  // Tiles take as many cells as there can be.
  double most = pattern == AccessPattern::Tile ? 1 : static_cast<double>(cells.size());
  if (pattern == AccessPattern::Tile)
    for (const std::uint32_t extent : g.extent)
      most = std::min(most * (extent - 2.0), static_cast<double>(cloud.size()));
  plain.depth = std::max(1, static_cast<int>(std::ceil(std::log2(most))));
  for (std::size_t p = 0; p < cloud.size(); ++p) {
    double around = 1;
    for (std::size_t i = 0; i < k; ++i) {
      int steps = 0;
      for (int step = -1; step <= 1; ++step) steps += occupied[i].count(of[p][i] + step) != 0;
      around *= steps;
    }
    if (pattern == AccessPattern::Tile)
      plain.searches += std::pow(3.0, static_cast<double>(k - 1));
    else
      plain.searches += isHalf(pattern) ? (around - 1) / 2 : around - 1;
    for (std::size_t q = 0; q < cloud.size(); ++q) {
      if (!adjacent(of[p], of[q])) continue;
      plain.compared += isHalf(pattern) && of[p] != of[q] ? 0.5 : 1.0;
      double sum = 0;
      for (const int j : order) {
        const auto& x = cloud.columns[static_cast<std::size_t>(j)];
        sum += (x[p] - x[q]) * (x[p] - x[q]);
        ++plain.read;
        if (sum > eps * eps) break;
      }
    }
  }
  return plain;
}

bool close(double a, double b, double part) { return std::abs(a - b) <= part * std::abs(b); }

/// A cloud whose last dimensions vary most: REORDER indexes others than the cloud's first.
PointCloud widerAndWider(std::size_t points, std::size_t dims) {
  std::mt19937_64 random(8);
  PointCloud cloud = draws::draw(random, "uniform", points, dims);
  for (std::size_t j = 0; j < dims; ++j)
    for (double& x : cloud.columns[j]) x *= 0.2 + static_cast<double>(j);
  return cloud;
}

}  // namespace

class TestCostOfK : public QObject {
  Q_OBJECT

 private slots:
  void countsWhatThePatternSearches_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<bool>("reorder");
    for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Unicomp,
                                        AccessPattern::LidUnicomp, AccessPattern::Tile})
      for (const bool reorder : {true, false})
        QTest::addRow("%s%s", toText(pattern).c_str(), reorder ? ", reordered" : "")
            << static_cast<int>(pattern) << reorder;
  }
  void countsWhatThePatternSearches() {
    QFETCH(int, pattern);
    QFETCH(bool, reorder);
    // Fewer points than the least sample, and few enough that every candidate is looked at.
    const PointCloud cloud = widerAndWider(60, 5);
    const double eps = 1.0;
    const Strategy strategy = {.pattern = static_cast<AccessPattern>(pattern),
                               .reorder = reorder ? Toggle::On : Toggle::Off,
                               .sortIdu = Toggle::Off,
                               .shortCircuit = Toggle::Off};
    const auto model = costOfK(cloud, eps, strategy);
    QVERIFY(model.has_value());
    QCOMPARE(model->sampled, cloud.size());
    QCOMPARE(model->dimensionOrder,
             reorder ? (std::vector<int>{4, 3, 2, 1, 0}) : (std::vector<int>{0, 1, 2, 3, 4}));
    QCOMPARE(model->costs.size(), std::size_t{5});
    double cheapest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k <= 5; ++k) {
      const Plain plain = plainly(cloud, eps, model->dimensionOrder, k, strategy.pattern);
      const CostOfK& cost = model->costs[k - 1];
      QCOMPARE(cost.k, static_cast<int>(k));
      QVERIFY(close(cost.cellSearchOps, 4 * plain.searches * plain.depth, 1e-9));
      QVERIFY(close(cost.distanceOps, plain.compared * 5, 1e-9));
      cheapest = std::min(cheapest, cost.total());
    }
    QCOMPARE(model->costs[static_cast<std::size_t>(model->best - 1)].total(), cheapest);
  }

  void distancesEndEarly() {
    const PointCloud cloud = widerAndWider(60, 5);
    const auto model = costOfK(cloud, 1.0,
                               {.pattern = AccessPattern::Full,
                                .reorder = Toggle::On,
                                .sortIdu = Toggle::Off,
                                .shortCircuit = Toggle::On});
    QVERIFY(model.has_value());
    for (std::size_t k = 1; k <= 5; ++k)
      QVERIFY(close(model->costs[k - 1].distanceOps,
                    plainly(cloud, 1.0, model->dimensionOrder, k, AccessPattern::Full).read, 1e-9));
  }

  // Only candidates within ε in the sorted dimension are compared; finding them costs searches.
  void sortIduNarrows() {
    const PointCloud cloud = widerAndWider(60, 5);
    const Strategy off = {.pattern = AccessPattern::Full,
                          .reorder = Toggle::On,
                          .sortIdu = Toggle::Off,
                          .shortCircuit = Toggle::Off};
    Strategy automatic = off;
    automatic.sortIdu = Toggle::Auto;
    Strategy dense = automatic;
    dense.denseCells = Toggle::On;
    const auto without = costOfK(cloud, 1.0, off);
    const auto with = costOfK(cloud, 1.0, automatic);
    const auto inDense = costOfK(cloud, 1.0, dense);
    QVERIFY(without && with && inDense);
    for (std::size_t k = 1; k <= 5; ++k) {
      const CellGeometry g =
          *makeCellGeometry(cloud, boundsOf(cloud), 1.0, 1,
                            {with->dimensionOrder.begin(), with->dimensionOrder.begin() + k});
      double inWindow = 0;
      for (std::size_t p = 0; p < cloud.size(); ++p)
        for (std::size_t q = 0; q < cloud.size(); ++q) {
          if (!adjacent(cellOf(g, cloud, p), cellOf(g, cloud, q))) continue;
          // Automatic: off where all dimensions are indexed.
          const auto& x = cloud.columns[static_cast<std::size_t>(
              with->dimensionOrder[std::min(k, std::size_t{4})])];
          inWindow += k == 5 || (x[p] - x[q]) * (x[p] - x[q]) <= 1.0;
        }
      QVERIFY(close(with->costs[k - 1].distanceOps, 5 * inWindow, 1e-9));
      QCOMPARE(with->costs[k - 1].cellSearchOps > without->costs[k - 1].cellSearchOps, k < 5);
      QCOMPARE(inDense->costs[k - 1].distanceOps, without->costs[k - 1].distanceOps);
    }
  }

  // A window keeps tiles from comparing with vectors: its coordinates count as several, and few
  // dimensions are all indexed, equal points included.
  void windowsOfTilesCostMore() {
    std::mt19937_64 random(5);
    const PointCloud line = draws::fromRows(std::vector<std::vector<double>>(500, {1.0, 2.0}));
    for (const PointCloud& cloud : {draws::draw(random, "exponential", 3000, 2),
                                    draws::draw(random, "uniform", 3000, 3), line}) {
      const double eps = 1.0;
      const Strategy tile = {.reorder = Toggle::On, .shortCircuit = Toggle::Off};
      Strategy full = tile;
      full.pattern = AccessPattern::Full;
      const auto ofTiles = costOfK(cloud, eps, tile);
      const auto ofFull = costOfK(cloud, eps, full);
      QVERIFY(ofTiles && ofFull);
      const std::size_t n = cloud.dims();
      QCOMPARE(ofTiles->best, static_cast<int>(n));
      for (std::size_t k = 1; k <= n; ++k)
        QVERIFY(close(ofTiles->costs[k - 1].distanceOps,
                      (k < n ? 5 : 1) * ofFull->costs[k - 1].distanceOps, 1e-9));
    }
  }

  // Tiles without a window are estimated from pairs of points: close to all of them, also where few
  // places hold most points, and the same each time; a step of a search weighs what it is told.
  void tilesAreSampled_data() {
    QTest::addColumn<QString>("shape");
    for (const char* const shape : {"uniform", "exponential", "blobs"})
      QTest::addRow("%s", shape) << shape;
  }
  void tilesAreSampled() {
    QFETCH(QString, shape);
    std::mt19937_64 random(13);
    const PointCloud cloud = draws::draw(random, shape.toStdString().c_str(), 20000, 4);
    const Bounds bounds = boundsOf(cloud);
    const double eps = (bounds.high[0] - bounds.low[0]) / 12;
    const Strategy tile = {
        .reorder = Toggle::Off, .sortIdu = Toggle::Off, .shortCircuit = Toggle::Off};
    Strategy full = tile;
    full.pattern = AccessPattern::Full;
    const auto sampled = costOfK(cloud, eps, tile);
    const auto again = costOfK(cloud, eps, tile);
    const auto ofAll = costOfK(cloud, eps, full);
    const auto heavier = costOfK(cloud, eps, tile, {}, 40);
    QVERIFY(sampled && again && ofAll && heavier);
    QVERIFY(sampled->sampled <= 256);
    for (std::size_t k = 0; k < 4; ++k) {
      QCOMPARE(again->costs[k].total(), sampled->costs[k].total());
      const double ratio = sampled->costs[k].distanceOps / ofAll->costs[k].distanceOps;
      QVERIFY2(ratio > 0.6 && ratio < 1.6, qPrintable(QString::number(ratio)));
      QCOMPARE(heavier->costs[k].cellSearchOps, 10 * sampled->costs[k].cellSearchOps);
    }
    QVERIFY(heavier->best <= sampled->best);
  }

  // The engine takes SORTIDU by itself where coordinates are compared one by one: in other patterns
  // than tile, and in the lists of a GPU.
  void windowsWhereTheyPay() {
    const BackendLimits cpu{.name = "cpu"};
    const BackendLimits gpu{.name = "cuda", .threadGroups = true, .productsOfBytes = true};
    const auto sorts = [](AccessPattern pattern, SinkKind sink, const BackendLimits& backend) {
      return decideWithoutK({.pattern = pattern}, sink, 5, backend).sortIdu;
    };
    QCOMPARE(sorts(AccessPattern::Tile, SinkKind::Counts, cpu), Toggle::Off);
    QCOMPARE(sorts(AccessPattern::Tile, SinkKind::NeighbourTable, cpu), Toggle::Off);
    QCOMPARE(sorts(AccessPattern::Tile, SinkKind::Counts, gpu), Toggle::Off);
    QCOMPARE(sorts(AccessPattern::Tile, SinkKind::Dbscan, gpu), Toggle::Off);
    QCOMPARE(sorts(AccessPattern::Tile, SinkKind::NeighbourTable, gpu), Toggle::On);
    QCOMPARE(sorts(AccessPattern::Full, SinkKind::Counts, gpu), Toggle::Auto);
  }

  // DBSCAN of six dimensions on a GPU goes by a window where points have many candidates, unless
  // the caller decides on one of the toggles.
  void windowInFiveOfSixDimensions() {
    const BackendLimits gpu{.name = "cuda",
                            .threadGroups = true,
                            .choosesProducts = true,
                            .products = true,
                            .productsOfBytes = true};
    std::mt19937_64 random(17);
    const PointCloud cloud = draws::draw(random, "uniform", 200'000, 6);
    const Bounds bounds = boundsOf(cloud);
    const double wide = bounds.high[0] - bounds.low[0];
    const auto planned = [&](double eps, const Strategy& asked) {
      return planJoin(cloud, eps, asked, SinkKind::Dbscan, gpu, {})->strategy;
    };
    const Strategy many = planned(0.155 * wide, {});
    QCOMPARE(many.indexedDims, 5);
    QCOMPARE(many.sortIdu, Toggle::On);
    QCOMPARE(many.denseCells, Toggle::Off);
    QCOMPARE(many.shortCircuit, Toggle::Off);
    QCOMPARE(planned(0.113 * wide, {}).denseCells, Toggle::On);
    QCOMPARE(planned(0.155 * wide, {.denseCells = Toggle::On}).denseCells, Toggle::On);
    QCOMPARE(planned(0.155 * wide, {.shortCircuit = Toggle::On}).denseCells, Toggle::On);
  }

  // A sample comes close to all points, asks a hundredth of them, and gives the same each time.
  void samplesAFraction() {
    std::mt19937_64 random(11);
    const PointCloud cloud = draws::draw(random, "uniform", 60000, 4);
    const double eps = 0.05;
    const Strategy strategy = {.pattern = AccessPattern::Full,
                               .reorder = Toggle::Off,
                               .sortIdu = Toggle::Off,
                               .shortCircuit = Toggle::Off};
    const auto model = costOfK(cloud, eps, strategy);
    QVERIFY(model.has_value());
    QCOMPARE(model->sampled, std::size_t{600});
    const auto again = costOfK(cloud, eps, strategy);
    QVERIFY(again.has_value());
    for (std::size_t k = 0; k < 4; ++k) {
      QCOMPARE(again->costs[k].cellSearchOps, model->costs[k].cellSearchOps);
      QCOMPARE(again->costs[k].distanceOps, model->costs[k].distanceOps);
    }
    // Candidates at k = 1 by counting slices.
    const CellGeometry g = *makeCellGeometry(cloud, boundsOf(cloud), eps, 1, {0});
    std::vector<double> slices(g.extent[0] + 2, 0);
    for (const double x : cloud.columns[0]) ++slices[g.coordinate(x, 0)];
    double candidates = 0;
    for (std::size_t c = 1; c + 1 < slices.size(); ++c)
      candidates += slices[c] * (slices[c - 1] + slices[c] + slices[c + 1]);
    QVERIFY(close(model->costs[0].distanceOps, 4 * candidates, 0.05));
  }

  // In many dimensions at an ε with many adjacent cells the sample ends before its hundredth.
  void takesBoundedWork() {
    std::mt19937_64 random(12);
    const PointCloud cloud = draws::draw(random, "uniform", 200000, 8);
    const Bounds bounds = boundsOf(cloud);
    const double eps = (bounds.high[0] - bounds.low[0]) / 6;
    const auto model = costOfK(cloud, eps, {.pattern = AccessPattern::Full});
    QVERIFY(model.has_value());
    QVERIFY(model->sampled >= 256);
    QVERIFY(model->sampled < 2000);
  }

  void smallClouds() {
    for (const std::size_t dims : {1U, 2U, 9U}) {
      PointCloud one = draws::fromRows({std::vector<double>(dims, 2.5)});
      for (const AccessPattern pattern :
           {AccessPattern::Full, AccessPattern::LidUnicomp, AccessPattern::Tile}) {
        const auto model = costOfK(one, 1.0, {.pattern = pattern});
        QVERIFY(model.has_value());
        QCOMPARE(model->costs.size(), std::min<std::size_t>(dims, 8));
        const bool inWindow = pattern == AccessPattern::Tile && dims > 1;
        QCOMPARE(model->costs[0].distanceOps, (inWindow ? 5.0 : 1.0) * static_cast<double>(dims));
      }
    }
    const auto equal =
        costOfK(draws::fromRows(std::vector<std::vector<double>>(500, {1, 2, 3})), 0.5, {});
    QVERIFY(equal.has_value());
    QCOMPARE(equal->costs[2].distanceOps, 500.0 * 500 * 3);
  }

  void refuses() {
    const PointCloud cloud = draws::fromRows({{0, 0}, {1, 1}});
    QCOMPARE(costOfK(cloud, -1, {}).error().kind, ErrorKind::BadCall);
    QCOMPARE(costOfK(PointCloud{}, 1, {}).error().kind, ErrorKind::BadInput);
    std::stop_source source;
    source.request_stop();
    QCOMPARE(costOfK(cloud, 1, {}, {source.get_token(), {}}).error().kind, ErrorKind::Cancelled);
  }
};

APPLESS_TEST(TestCostOfK);
#include "tst_cost_of_k.moc"
