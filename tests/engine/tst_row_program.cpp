#include <QtTest>

#include <algorithm>
#include <random>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/grid/grid_index.h"
#include "engine/join/row_program.h"
#include "fibers/fiber_block.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

/// What RowCandidates points at, made in plain loops: all points in the 3^k cells around each cell.
struct HostCandidates {
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> ids;
  std::vector<double> coordinates;

  HostCandidates(const PointCloud& cloud, const GridIndex& index) {
    const auto cellOf = index.cellOfPosition();
    std::vector<std::uint64_t> idOfCell(index.cells());
    for (std::size_t p = 0; p < cloud.size(); ++p)
      idOfCell[cellOf[p]] = index.geometry.linearId(cloud, index.pointIds[p]);
    for (std::size_t c = 0; c < index.cells(); ++c) {
      const std::size_t first = ids.size();
      for (std::size_t p = 0; p < cloud.size(); ++p)
        if (adjacent(index.geometry, idOfCell[c], idOfCell[cellOf[p]]))
          ids.push_back(index.pointIds[p]);
      std::sort(ids.begin() + static_cast<std::ptrdiff_t>(first), ids.end());
      start.push_back(ids.size());
    }
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      for (const std::uint32_t id : ids) coordinates.push_back(cloud.column(j)[id]);
  }
  RowCandidates view() const { return {start.data(), ids.data(), coordinates.data(), ids.size()}; }

 private:
  static bool adjacent(const CellGeometry& geometry, std::uint64_t a, std::uint64_t b) {
    for (std::size_t i = 0; i < geometry.dims.size(); ++i) {
      const auto x = static_cast<std::int64_t>(a / geometry.stride[i] % geometry.extent[i]);
      const auto y = static_cast<std::int64_t>(b / geometry.stride[i] % geometry.extent[i]);
      if (std::abs(x - y) > 1) return false;
    }
    return true;
  }
};

}  // namespace

/// Rows that come out sorted, on one lane and on a warp of 32.
class TestRowProgram : public QObject {
  Q_OBJECT

 private slots:
  void rowsAreThoseOfBruteForce_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("points");
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("eps");
    QTest::newRow("blobs") << "blobs" << 230 << 2 << 0.4;
    QTest::newRow("lattice") << "lattice" << 125 << 3 << 1.0;
    QTest::newRow("duplicates") << "duplicates" << 90 << 2 << 0.5;
    QTest::newRow("one dimension") << "exponential" << 120 << 1 << 0.004;
    QTest::newRow("six dimensions") << "uniform" << 60 << 6 << 30.0;
    QTest::newRow("one point") << "uniform" << 1 << 2 << 1.0;
    QTest::newRow("a warp and one") << "blobs" << 33 << 2 << 100.0;
  }
  void rowsAreThoseOfBruteForce() {
    QFETCH(QString, kind);
    QFETCH(int, points);
    QFETCH(int, dims);
    QFETCH(double, eps);
    std::mt19937_64 random(5);
    const PointCloud cloud =
        draws::draw(random, kind.toStdString(), std::size_t(points), std::size_t(dims));
    std::vector<int> indexed(std::size_t(std::min(dims, 3)));
    for (std::size_t i = 0; i < indexed.size(); ++i) indexed[i] = int(i);
    const auto index = buildGridIndex(cloud, {.eps = eps, .reach = 1, .dims = indexed}, {});
    QVERIFY(index.has_value());
    const HostCandidates candidates(cloud, *index);
    const auto cellOf = index->cellOfPosition();
    const auto pairs = bruteForcePairs(cloud, eps);
    QVERIFY(pairs.has_value());

    for (std::size_t position = 0; position < cloud.size(); ++position) {
      const std::uint32_t point = index->pointIds[position];
      std::vector<std::uint32_t> expected;
      for (const Pair& pair : pairs->pairs)
        if (pair.p == std::int32_t(point)) expected.push_back(std::uint32_t(pair.q));
      const auto x = [&](int j) { return cloud.column(std::size_t(j))[point]; };

      std::vector<std::uint32_t> row(expected.size() + 1, ~0U);
      SerialLane serial;
      const std::uint64_t written =
          fillRow<0>(serial, candidates.view(), cellOf[position], dims, eps * eps, x, row.data());
      QCOMPARE(written, expected.size());
      QVERIFY(std::equal(expected.begin(), expected.end(), row.begin()));
      QCOMPARE(row.back(), ~0U);

      std::fill(row.begin(), row.end(), ~0U);
      std::vector<std::uint64_t> writtenBy(32);
      const auto fault = runWarp([&](FiberLane& lane) {
        writtenBy[lane.id()] =
            fillRow<0>(lane, candidates.view(), cellOf[position], dims, eps * eps, x, row.data());
      });
      QVERIFY2(!fault, fault ? fault->message.c_str() : "");
      for (const std::uint64_t w : writtenBy) QCOMPARE(w, expected.size());
      QVERIFY(std::equal(expected.begin(), expected.end(), row.begin()));
      QCOMPARE(row.back(), ~0U);
    }
  }
};

APPLESS_TEST(TestRowProgram);
#include "tst_row_program.moc"
