// Counting by tiles on matrix units, on a warp of fibers: the program that the GPU runs, shuffles
// in place of its units, against brute force on clouds with many ties.
#include <QtTest/QtTest>

#include <numeric>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/row_window.h"
#include "engine/join/tile_program.h"
#include "fibers/fiber_block.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

struct Tiles {
  GridIndex index;
  RowWindow window;
  std::vector<std::uint32_t> cellOf;
  std::vector<std::uint32_t> bucketFirst;
  std::vector<std::uint32_t> tileStart;
  std::vector<double> ordered;
  TileView view;
};

/// Tiles of at most `queries` points of one row, kTileSpan cells apart at most.
Tiles cut(const PointCloud& cloud, double eps, int indexed, std::uint32_t queries) {
  Tiles t;
  std::vector<int> dims(static_cast<std::size_t>(indexed));
  std::iota(dims.begin(), dims.end(), 0);
  t.index = *buildGridIndex(cloud, {.eps = eps, .reach = 1, .dims = dims}, {});
  t.window = makeRowWindow(t.index.geometry);
  t.cellOf = t.index.cellOfPosition();
  const CellGeometry& geometry = t.index.geometry;
  const std::uint64_t bound = geometry.stride[0] * geometry.extent[0];
  while ((bound >> t.view.bucketShift) > 3000) ++t.view.bucketShift;
  t.bucketFirst.resize((bound >> t.view.bucketShift) + 2);
  for (std::uint64_t b = 0; b < t.bucketFirst.size(); ++b)
    t.bucketFirst[b] = static_cast<std::uint32_t>(t.index.firstCellFrom(b << t.view.bucketShift));
  const std::uint64_t rowLength = geometry.extent.back();
  const auto spanOf = [&](std::size_t p) {
    const std::uint64_t id = t.index.cellIds[t.cellOf[p]];
    return std::pair(id / rowLength, id % rowLength / kTileSpan);
  };
  std::size_t spanStart = 0;
  for (std::size_t p = 0; p < cloud.size(); ++p) {
    if (p > 0 && spanOf(p) != spanOf(p - 1)) spanStart = p;
    if ((p - spanStart) % queries == 0) t.tileStart.push_back(static_cast<std::uint32_t>(p));
  }
  t.tileStart.push_back(static_cast<std::uint32_t>(cloud.size()));
  for (const auto& column : t.index.ordered.columns)
    t.ordered.insert(t.ordered.end(), column.begin(), column.end());

  double radius = eps;
  for (const auto& column : cloud.columns) {
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    radius = std::max(radius, *high - *low);
  }
  t.view.size = cloud.size();
  t.view.dims = static_cast<int>(cloud.dims());
  t.view.squaredEps = eps * eps;
  t.view.band = tileBand(t.view.dims, radius);
  t.view.rows = static_cast<std::uint32_t>(t.window.offsets.size());
  return t;
}

template <int K, int T>
std::string count(const PointCloud& cloud, double eps, int indexed,
                  std::vector<std::uint32_t>& byPoint) {
  Tiles t = cut(cloud, eps, indexed, 16 * T);
  std::vector<std::uint32_t> counts(cloud.size(), ~0U);
  const std::uint32_t stop = 0;
  TileView v = t.view;
  v.ordered = t.ordered.data();
  v.cellIds = t.index.cellIds.data();
  v.cellStart = t.index.cellStart.data();
  v.cellOf = t.cellOf.data();
  v.bucketFirst = t.bucketFirst.data();
  v.rowOffsets = t.window.offsets.data();
  v.tileStart = t.tileStart.data();
  v.counts = counts.data();
  v.stop = &stop;
  for (std::uint32_t tile = 0; tile + 1 < t.tileStart.size(); ++tile) {
    const auto fault = runWarp([&](FiberLane& lane) { tile::countTile<K, T>(lane, v, tile); });
    if (fault) return fault->message;
  }
  byPoint.resize(cloud.size());
  for (std::size_t p = 0; p < counts.size(); ++p) byPoint[t.index.pointIds[p]] = counts[p];
  return {};
}

std::string countFor(const PointCloud& cloud, double eps, int indexed, bool large,
                     std::vector<std::uint32_t>& byPoint) {
  switch ((cloud.dims() + 4) / 4) {
    case 1:
      return large ? count<1, 4>(cloud, eps, indexed, byPoint)
                   : count<1, 1>(cloud, eps, indexed, byPoint);
    case 2:
      return large ? count<2, 4>(cloud, eps, indexed, byPoint)
                   : count<2, 1>(cloud, eps, indexed, byPoint);
    case 3: return count<3, 2>(cloud, eps, indexed, byPoint);
    default: return count<5, 1>(cloud, eps, indexed, byPoint);
  }
}

}  // namespace

class TestTileProgram : public QObject {
  Q_OBJECT

 private slots:
  void countsWhatBruteForceCounts() {
    bool ok = false;
    const int asked = qEnvironmentVariableIntValue("CLUSTERLOOM_DRAWS", &ok);
    const int draws = ok ? asked : 120;
    int undecidable = 0;
    for (int seed = 0; seed < draws; ++seed) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 4100);
      const std::string kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
      const std::size_t dims = 1 + random() % (random() % 4 == 0 ? 18 : 7);
      const std::size_t n = 1 + random() % 90;
      const PointCloud cloud = draws::draw(random, kind, n, dims);
      const double eps = draws::drawEps(random, cloud);
      const int indexed = 1 + static_cast<int>(random() % std::min<std::size_t>(dims, 4));
      // As the device does, tiles are asked only where their band leaves nearly all decided; but
      // here the radius is the whole cloud's.
      double radius = eps;
      for (const auto& column : cloud.columns) {
        const auto [low, high] = std::minmax_element(column.begin(), column.end());
        radius = std::max(radius, *high - *low);
      }
      if (eps < 1e-140 || radius > 1e140 ||
          tileBand(static_cast<int>(dims), radius) > 0.01 * eps * eps) {
        ++undecidable;
        continue;
      }
      const auto expected = bruteForceCounts(cloud, eps, {});
      QVERIFY(expected);
      std::vector<std::uint32_t> found;
      const std::string fault = countFor(cloud, eps, indexed, random() % 2 == 0, found);
      const QString where = QString("seed %1, %2, n %3, d %4, k %5")
                                .arg(seed)
                                .arg(QString::fromStdString(kind))
                                .arg(n)
                                .arg(dims)
                                .arg(indexed);
      QVERIFY2(fault.empty(), qPrintable(where + ": " + QString::fromStdString(fault)));
      QVERIFY2(found == expected->counts, qPrintable(where));
    }
    QVERIFY2(undecidable < draws / 2, "too few draws were worth anything");
  }

  void tiesAreDecidedByThePredicate() {
    // A lattice whose ε is a distance of very many pairs: nearly every tile has undecided pairs.
    std::vector<std::vector<double>> rows;
    for (int x = 0; x < 12; ++x)
      for (int y = 0; y < 12; ++y) rows.push_back({0.1 * x, 0.1 * y});
    const PointCloud cloud = draws::fromRows(rows);
    for (const double eps : {0.1, 0.2, 0.1 * std::sqrt(2.0), 0.30000000000000004}) {
      const auto expected = bruteForceCounts(cloud, eps, {});
      std::vector<std::uint32_t> found;
      QCOMPARE((count<1, 4>(cloud, eps, 2, found)), std::string());
      QCOMPARE(found, expected->counts);
    }
  }
};

GUILESS_TEST(TestTileProgram);
#include "tst_tile_program.moc"
