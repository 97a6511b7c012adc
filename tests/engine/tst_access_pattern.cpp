// Which cells does each access pattern compare? Figures 2 and 5 of [Gallet 2019], and what must
// hold of any half pattern.
#include <QtTest/QtTest>

#include <algorithm>
#include <set>

#include "cloud_draws.h"
#include "engine/grid/grid_index.h"
#include "engine/load/access_pattern.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// One point in the middle of each cell of a lattice of `side` cells in `dims` dimensions, ε 1.
PointCloud lattice(std::size_t side, std::size_t dims) {
  PointCloud cloud;
  std::size_t n = 1;
  for (std::size_t j = 0; j < dims; ++j) n *= side;
  for (std::size_t j = 0; j < dims; ++j) {
    cloud.names.push_back("x" + std::to_string(j));
    std::vector<double> column;
    std::size_t every = 1;
    for (std::size_t i = j + 1; i < dims; ++i) every *= side;
    for (std::size_t p = 0; p < n; ++p)
      column.push_back(1.0001 * static_cast<double>(p / every % side) + 0.5);
    cloud.columns.push_back(column);
  }
  return cloud;
}

GridIndex indexOf(const PointCloud& cloud) {
  GridSpec spec;
  spec.eps = 1;
  for (int j = 0; j < static_cast<int>(cloud.dims()); ++j) spec.dims.push_back(j);
  auto index = buildGridIndex(cloud, spec, {});
  if (!index) qFatal("%s", index.error().message.c_str());
  return std::move(*index);
}

bool areAdjacent(const CellGeometry& geometry, std::uint64_t a, std::uint64_t b) {
  const auto x = geometry.coordinatesOf(a);
  const auto y = geometry.coordinatesOf(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::max(x[i], y[i]) - std::min(x[i], y[i]) > 1) return false;
  return true;
}

}  // namespace

class TestAccessPattern : public QObject {
  Q_OBJECT

 private slots:
  void theFiguresInTwoDimensions();
  void halfPatternsMeetEveryPairOnce_data();
  void halfPatternsMeetEveryPairOnce();
  void aLoneCellComparesWithNone();
};

void TestAccessPattern::theFiguresInTwoDimensions() {
  const GridIndex index = indexOf(lattice(6, 2));
  QCOMPARE(index.cells(), std::size_t(36));
  const AccessPatternWalk walk(index.geometry, index.cellIds);
  for (std::uint32_t cell = 0; cell < 36; ++cell) {
    const auto at = index.geometry.coordinatesOf(index.cellIds[cell]);
    const bool inner = at[0] > 1 && at[0] < 6 && at[1] > 1 && at[1] < 6;  // one cell of padding
    if (!inner) continue;
    QCOMPARE(walk.adjacentTo(cell).size(), std::size_t(8));
    // Figure 5: each inner cell compares with the four of higher linear id.
    QCOMPARE(walk.comparedWith(cell, AccessPattern::LidUnicomp).size(), std::size_t(4));
    // Figure 2: 8 where both coordinates are odd, 6 and 2 where one is, none where none is.
    const std::size_t odd = walk.comparedWith(cell, AccessPattern::Unicomp).size();
    if (at[0] % 2 == 1 && at[1] % 2 == 1) QCOMPARE(odd, std::size_t(8));
    if (at[0] % 2 == 0 && at[1] % 2 == 0) QCOMPARE(odd, std::size_t(0));
    if (at[0] % 2 != at[1] % 2) QCOMPARE(odd, at[0] % 2 == 1 ? std::size_t(2) : std::size_t(6));
  }
}

void TestAccessPattern::halfPatternsMeetEveryPairOnce_data() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<int>("pattern");
  for (const int dims : {1, 2, 3, 4})
    for (const AccessPattern pattern : {AccessPattern::Unicomp, AccessPattern::LidUnicomp})
      QTest::addRow("%d dimensions, %s", dims, toText(pattern).c_str()) << dims << int(pattern);
}

void TestAccessPattern::halfPatternsMeetEveryPairOnce() {
  QFETCH(int, dims);
  QFETCH(int, pattern);
  // Holes and dense parts: uniform points, fewer than there are cells.
  std::mt19937_64 random(17);
  std::vector<std::vector<double>> rows(200, std::vector<double>(static_cast<std::size_t>(dims)));
  for (auto& row : rows)
    for (double& x : row) x = 5 * draws::unit(random);
  const PointCloud cloud = draws::fromRows(rows);
  const GridIndex index = indexOf(cloud);
  const AccessPatternWalk walk(index.geometry, index.cellIds);
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> met;
  for (std::uint32_t cell = 0; cell < index.cells(); ++cell)
    for (const std::uint32_t other : walk.comparedWith(cell, AccessPattern(pattern)))
      met.insert(std::minmax(cell, other));
  std::size_t adjacent = 0;
  for (std::uint32_t a = 0; a < index.cells(); ++a)
    for (std::uint32_t b = a + 1; b < index.cells(); ++b) {
      if (!areAdjacent(index.geometry, index.cellIds[a], index.cellIds[b])) continue;
      ++adjacent;
      QCOMPARE(met.count({a, b}), std::size_t(1));
    }
  QCOMPARE(met.size(), adjacent);
}

void TestAccessPattern::aLoneCellComparesWithNone() {
  const GridIndex index = indexOf(lattice(1, 3));
  const AccessPatternWalk walk(index.geometry, index.cellIds);
  for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Unicomp,
                                      AccessPattern::LidUnicomp, AccessPattern::Tile})
    QVERIFY(walk.comparedWith(0, pattern).empty());
}

APPLESS_TEST(TestAccessPattern);
#include "tst_access_pattern.moc"
