#include <QTest>

#include <algorithm>
#include <random>
#include <set>

#include "cloud_draws.h"
#include "engine/cloud/point_distance.h"
#include "engine/grid/cell_geometry.h"
#include "engine/grid/dimension_order.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/occupancy.h"
#include "engine/grid/row_window.h"
#include "engine/grid/sort_by_key.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

CellGeometry cut(const PointCloud& cloud, double eps, int reach, const std::vector<int>& dims) {
  return *makeCellGeometry(cloud, boundsOf(cloud), eps, reach, dims);
}

GridIndex built(const PointCloud& cloud, const GridSpec& spec) {
  auto index = buildGridIndex(cloud, spec, {});
  return index ? std::move(*index) : GridIndex{};
}

std::vector<std::uint32_t> cellCoordinates(const CellGeometry& g, const PointCloud& cloud,
                                           std::size_t p) {
  std::vector<std::uint32_t> c;
  for (std::size_t i = 0; i < g.dims.size(); ++i)
    c.push_back(g.coordinate(cloud.columns[static_cast<std::size_t>(g.dims[i])][p], i));
  return c;
}

// The farthest that any accepted pair lies apart, in cells; −1 when there is none.
int widestAcceptedPair(const PointCloud& cloud, const CellGeometry& g, double eps) {
  int widest = -1;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::size_t q = 0; q < p; ++q) {
      if (!withinEps(canonicalSquaredDistance(cloud, p, q), eps * eps)) continue;
      const auto a = cellCoordinates(g, cloud, p);
      const auto b = cellCoordinates(g, cloud, q);
      for (std::size_t i = 0; i < a.size(); ++i)
        widest = std::max(widest, std::abs(static_cast<int>(a[i]) - static_cast<int>(b[i])));
    }
  return widest;
}

}  // namespace

/// The sparse ε-grid: what it stores, and that rounding never loses a pair.
class Grid : public QObject {
  Q_OBJECT
 private slots:
  void keepsThePairThatCellsOfSideEpsLose() {
    // With cells of side exactly 1 from 0 on, x and y lie in cells 0 and 2 though the predicate
    // holds.
    const PointCloud cloud = draws::fromRows({{0.0}, {1.0 - 0x1p-53}, {2.0}});
    QVERIFY(withinEps(canonicalSquaredDistance(cloud, 1, 2), 1.0));
    QCOMPARE(static_cast<int>(std::floor(cloud.columns[0][2] / 1.0)) -
                 static_cast<int>(std::floor(cloud.columns[0][1] / 1.0)),
             2);
    for (int reach = 1; reach <= 3; ++reach) {
      const CellGeometry g = cut(cloud, 1.0, reach, {0});
      QVERIFY(widestAcceptedPair(cloud, g, 1.0) <= reach);
    }
  }

  void acceptedPairsAreWithinReach_data() {
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("eps");
    for (const double offset : {0.0, 1.0, 1e6, -5.4e6, 1e15})
      for (const double eps : {1.0, 0.1, 3.0, 1.0 / 3.0, 1e-3})
        QTest::addRow("offset %g, eps %g", offset, eps) << offset << eps;
  }
  void acceptedPairsAreWithinReach() {
    QFETCH(double, offset);
    QFETCH(double, eps);
    std::mt19937_64 random(11);
    PointCloud cloud = draws::fromRows({{offset, offset}});
    // Points at and around multiples of ε, where floors jump.
    for (int i = 0; i < 220; ++i)
      for (auto& column : cloud.columns)
        column.push_back(draws::nudged(random, offset + eps * static_cast<double>(random() % 40)));
    for (int reach = 1; reach <= 2; ++reach) {
      const CellGeometry g = cut(cloud, eps, reach, {1, 0});
      QVERIFY(widestAcceptedPair(cloud, g, eps) <= reach);
    }
  }

  void idsNeverOverflow() {
    std::mt19937_64 random(5);
    PointCloud cloud;
    for (int j = 0; j < 8; ++j) {
      cloud.names.push_back("x");
      auto& column = cloud.columns.emplace_back();
      for (int i = 0; i < 50; ++i) column.push_back(draws::unit(random) * (j < 4 ? 1e9 : 10.0));
    }
    const CellGeometry g = cut(cloud, 1e-3, 1, {0, 1, 2, 3, 4, 5, 6, 7});
    long double product = 1;
    for (std::size_t i = 0; i < 8; ++i) {
      product *= g.extent[i];
      QVERIFY(g.hasSlices(i));  // even 10⁴ cells per dimension are too many
      for (std::size_t p = 0; p < cloud.size(); ++p) {
        const std::uint32_t c = g.coordinate(cloud.columns[i][p], i);
        QVERIFY(c >= 1 && c + 1 < g.extent[i]);
      }
    }
    QVERIFY(product <= 0x1p62L);
    // 50 points need no more than 101 slices, two of padding included: nothing had to be merged.
    for (std::size_t i = 0; i < 8; ++i) QVERIFY(g.extent[i] <= 103 && g.span[i] < 1.01e-3);
  }

  void aCapOfCellsPerDimension() {
    const PointCloud cloud = draws::fromRows({{-1e300}, {1e300}, {0.0}});
    const CellGeometry g = cut(cloud, 1e-150, 2, {0});
    // A slice for each point, two empty ones for each gap, two cells of padding at each end.
    QCOMPARE(g.extent[0], 11U);
    QCOMPARE(g.coordinate(-1e300, 0), 2U);
    QCOMPARE(g.coordinate(0.0, 0), 5U);
    QCOMPARE(g.coordinate(1e300, 0), 8U);
  }

  void coordinatesComeBackFromIds() {
    std::mt19937_64 random(3);
    const PointCloud cloud = draws::draw(random, "uniform", 300, 3);
    const CellGeometry g = cut(cloud, 0.7, 1, {2, 0, 1});
    for (std::size_t p = 0; p < cloud.size(); ++p)
      QCOMPARE(g.coordinatesOf(g.linearId(cloud, p)), cellCoordinates(g, cloud, p));
  }

  void holdsEveryPointOnceInItsCell_data() {
    QTest::addColumn<int>("sortBy");
    QTest::newRow("by id") << -1;
    QTest::newRow("SORTIDU") << 1;
  }
  void holdsEveryPointOnceInItsCell() {
    QFETCH(int, sortBy);
    std::mt19937_64 random(7);
    const PointCloud cloud = draws::draw(random, "blobs", 40000, 2);
    const GridIndex index =
        built(cloud, {.eps = 0.3, .reach = 1, .dims = {0, 1}, .sortWithinCells = sortBy});
    QCOMPARE(index.size(), cloud.size());
    QVERIFY(std::adjacent_find(index.cellIds.begin(), index.cellIds.end(),
                               std::greater_equal<>()) == index.cellIds.end());
    std::set<std::uint32_t> seen;
    for (std::size_t c = 0; c < index.cells(); ++c) {
      QVERIFY(index.cellStart[c] < index.cellStart[c + 1]);
      for (std::uint32_t at = index.cellStart[c]; at < index.cellStart[c + 1]; ++at) {
        const std::uint32_t id = index.pointIds[at];
        seen.insert(id);
        QCOMPARE(index.geometry.linearId(cloud, id), index.cellIds[c]);
        QCOMPARE(index.ordered.columns[0][at], cloud.columns[0][id]);
        QCOMPARE(index.ordered.columns[1][at], cloud.columns[1][id]);
        if (at == index.cellStart[c]) continue;
        const std::uint32_t before = index.pointIds[at - 1];
        QVERIFY(sortBy < 0 ? before < id : cloud.columns[1][before] <= cloud.columns[1][id]);
      }
    }
    QCOMPARE(seen.size(), cloud.size());
    const auto cellOf = index.cellOfPosition();
    for (std::size_t c = 0; c < index.cells(); ++c) {
      QCOMPARE(cellOf[index.cellStart[c]], c);
      QCOMPARE(cellOf[index.cellStart[c + 1] - 1], c);
    }
    const auto occupied = occupiedCoordinates(index);
    for (std::size_t i = 0; i < 2; ++i) {
      std::set<std::uint32_t> coordinates;
      for (std::size_t p = 0; p < cloud.size(); ++p)
        coordinates.insert(cellCoordinates(index.geometry, cloud, p)[i]);
      QVERIFY(std::equal(occupied[i].begin(), occupied[i].end(), coordinates.begin(),
                         coordinates.end()));
    }
  }

  void rowsAreTheAdjacentCells_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("reach");
    for (int dims = 1; dims <= 4; ++dims)
      for (int reach = 1; reach <= 2; ++reach)
        QTest::addRow("%d dimensions, reach %d", dims, reach) << dims << reach;
  }
  void rowsAreTheAdjacentCells() {
    QFETCH(int, dims);
    QFETCH(int, reach);
    std::mt19937_64 random(static_cast<std::uint64_t>(dims));
    const PointCloud cloud = draws::draw(random, "uniform", 2500, static_cast<std::size_t>(dims));
    GridSpec spec{.eps = 0.15 * std::pow(3.0, dims - 1), .reach = reach, .dims = {}};
    for (int j = 0; j < dims; ++j) spec.dims.push_back(j);
    const GridIndex index = built(cloud, spec);
    const RowWindow window = makeRowWindow(index.geometry);
    QCOMPARE(window.offsets.front(), 0);
    RowCursors cursors(index, window);
    for (std::size_t c = 0; c < index.cells(); c += 1 + c % 3) {
      std::set<std::size_t> byRows;
      for (std::size_t row = 0; row < window.offsets.size(); ++row) {
        const IndexRange range = cursors.cells(row, index.cellIds[c]);
        for (std::uint32_t other = range.begin; other < range.end; ++other)
          QVERIFY(byRows.insert(other).second);
      }
      std::set<std::size_t> expected;
      const auto own = index.geometry.coordinatesOf(index.cellIds[c]);
      for (std::size_t other = 0; other < index.cells(); ++other) {
        const auto coordinates = index.geometry.coordinatesOf(index.cellIds[other]);
        bool adjacent = true;
        for (std::size_t i = 0; i < own.size(); ++i)
          adjacent = adjacent &&
                     std::abs(static_cast<int>(own[i]) - static_cast<int>(coordinates[i])) <= reach;
        if (adjacent) expected.insert(other);
      }
      QVERIFY(byRows == expected);
      if (index.cells() > 400) c += index.cells() / 200;
    }

    std::vector<std::vector<std::uint32_t>> cellOf;
    for (std::size_t p = 0; p < cloud.size(); ++p)
      cellOf.push_back(cellCoordinates(index.geometry, cloud, p));
    std::uint64_t candidates = 0;
    for (const auto& a : cellOf)
      for (const auto& b : cellOf)
        candidates += std::equal(a.begin(), a.end(), b.begin(), [&](auto x, auto y) {
          return std::abs(static_cast<int>(x) - static_cast<int>(y)) <= reach;
        });
    QCOMPARE(candidatesInWindow(index, ownQueries(index), {}), candidates);
  }

  void sortsByKey() {
    std::mt19937_64 random(9);
    for (const std::size_t n : {0U, 1U, 2U, 1000U, 100000U})
      for (const int bits : {1, 11, 12, 24, 30, 40, 62}) {
        std::vector<std::uint64_t> keys(n);
        std::vector<std::uint32_t> values(n);
        std::vector<std::pair<std::uint64_t, std::uint32_t>> expected;
        for (std::size_t i = 0; i < n; ++i) {
          keys[i] = random() >> (64 - bits);
          values[i] = static_cast<std::uint32_t>(i);
          expected.emplace_back(keys[i], values[i]);
        }
        std::sort(expected.begin(), expected.end());  // ties by value: what stable means here
        QVERIFY(sortByKey(keys, values, (std::uint64_t{1} << bits) - 1, {}));
        for (std::size_t i = 0; i < n; ++i)
          QVERIFY(keys[i] == expected[i].first && values[i] == expected[i].second);
      }
  }

  void reordersByVariance() {
    std::mt19937_64 random(4);
    PointCloud cloud;
    for (const double spread : {1.0, 30.0, 0.0, 5.0}) {
      cloud.names.push_back("x");
      auto& column = cloud.columns.emplace_back();
      for (int i = 0; i < 5000; ++i) column.push_back(6e6 + spread * draws::unit(random));
    }
    QCOMPARE(dimensionsByVariance(cloud), (std::vector<int>{1, 3, 0, 2}));
    QCOMPARE(dimensionsInCloudOrder(cloud), (std::vector<int>{0, 1, 2, 3}));
  }

  void estimatesOccupancy() {
    std::mt19937_64 random(6);
    const PointCloud cloud = draws::draw(random, "uniform", 200000, 2);
    for (const double eps : {0.02, 0.05, 0.2}) {
      const GridIndex index = built(cloud, {.eps = eps, .reach = 2, .dims = {0, 1}});
      const double truth = static_cast<double>(index.size()) / static_cast<double>(index.cells());
      const double estimate = estimatedPointsPerCell(cloud, index.geometry);
      QVERIFY2(std::abs(estimate / truth - 1) < 0.15, qPrintable(QString::number(estimate)));
    }
  }

  void estimatesCompanions() {
    // Half of the points in one cell, the others in a cell each: few points per cell, many
    // together.
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 20000; ++i) rows.push_back({i % 2 == 0 ? 0.5 : 10.0 + i});
    const PointCloud cloud = draws::fromRows(rows);
    const double found = estimatedCompanions(cloud, cut(cloud, 1.0, 1, {0}));
    QVERIFY2(std::abs(found / 5000 - 1) < 0.1, qPrintable(QString::number(found)));
    QCOMPARE(estimatedCompanions(draws::fromRows({{1}}), cut(draws::fromRows({{1}}), 1.0, 1, {0})),
             0.0);
  }

  /// Tables with rows of 64 kinds in turn: every 64th row is of one kind.
  void estimatesCompanionsOfPeriodicTables() {
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 64 * 4096; ++i) rows.push_back({i % 64 == 0 ? 10.0 + i : 0.5});
    const PointCloud cloud = draws::fromRows(rows);
    const double found = estimatedCompanions(cloud, cut(cloud, 1.0, 1, {0}));
    QVERIFY2(found > 200'000, qPrintable(QString::number(found)));
  }

  void cancels() {
    std::mt19937_64 random(2);
    const PointCloud cloud = draws::draw(random, "uniform", 1000, 2);
    std::stop_source source;
    source.request_stop();
    const auto index =
        buildGridIndex(cloud, {.eps = 1, .reach = 1, .dims = {0, 1}}, {source.get_token(), {}});
    QVERIFY(!index.has_value());
    QCOMPARE(index.error().kind, ErrorKind::Cancelled);
  }
};

APPLESS_TEST(Grid);
#include "tst_grid.moc"
