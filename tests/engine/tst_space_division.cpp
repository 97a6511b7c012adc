// How a cloud is divided in space: the curve of cells, the ranks near a point, and slices of
// coordinates.
#include <QtTest/QtTest>

#include <random>

#include "all_pairs_answer.h"
#include "cloud_draws.h"
#include "engine/backend.h"
#include "engine/core/hilbert_curve.h"
#include "engine/core/predicate.h"
#include "engine/distributed/divide_space.h"
#include "engine/distributed/local_communicator.h"
#include "strategies.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {}  // namespace

class TestSpaceDivision : public QObject {
  Q_OBJECT

 private slots:
  void hilbertCurveVisitsAdjacentCells_data();
  void hilbertCurveVisitsAdjacentCells();
  void nearRanksMissNoNeighbour();
  void guessedSlicesAreExact();
};

void TestSpaceDivision::hilbertCurveVisitsAdjacentCells_data() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<int>("bits");
  QTest::newRow("1-D") << 1 << 6;
  QTest::newRow("2-D, 1 bit") << 2 << 1;
  QTest::newRow("2-D") << 2 << 5;
  QTest::newRow("3-D") << 3 << 3;
}
void TestSpaceDivision::hilbertCurveVisitsAdjacentCells() {
  QFETCH(int, dims);
  QFETCH(int, bits);
  const std::uint32_t side = 1U << bits;
  std::vector<std::vector<std::uint32_t>> cells(std::size_t{1} << (dims * bits));
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    std::vector<std::uint32_t> at;
    for (int j = 0; j < dims; ++j)
      at.push_back(static_cast<std::uint32_t>(cell >> (j * bits)) % side);
    std::vector<std::uint32_t> x = at;
    const std::uint64_t place = hilbertPlace(x.data(), dims, bits);
    QVERIFY(place < cells.size());
    QVERIFY(cells[place].empty());
    cells[place] = at;
  }
  for (std::size_t i = 1; i < cells.size(); ++i) {
    std::uint32_t apart = 0;
    for (std::size_t j = 0; j < cells[i].size(); ++j)
      apart += cells[i][j] > cells[i - 1][j] ? cells[i][j] - cells[i - 1][j]
                                             : cells[i - 1][j] - cells[i][j];
    QCOMPARE(apart, 1U);
  }
}

void TestSpaceDivision::nearRanksMissNoNeighbour() {
  for (int seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed) + 900);
    const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
    const PointCloud cloud = draws::draw(random, kind, 200, 1 + random() % 5);
    const double eps = draws::drawEps(random, cloud);
    const double squaredEps = *epsSquared(eps);
    const int ranks = 2 + static_cast<int>(random() % 7);
    SpaceDivision division;
    const auto cuts = draws::equalCuts(200, ranks);
    const auto done =
        runLocalRanks(ranks, {}, [&](Communicator& c, const Task& task) -> Result<void> {
          const auto r = static_cast<std::size_t>(c.rank());
          auto found =
              divideSpace(c, draws::partOf(cloud, cuts[r], cuts[r + 1]), {eps, 1 + seed % 9}, task);
          if (!found) return tl::unexpected(found.error());
          if (r == 0) division = std::move(found->division);
          return {};
        });
    QVERIFY(done);
    const std::vector<std::uint8_t> inner = NearOwners::innerCells(division);
    for (std::size_t p = 0; p < 200; ++p) {
      const int own = division.owner[division.cellOf(cloud, p)];
      NearOwners near(division, squaredEps, own);
      const auto& found = near.of(cloud, p);
      if (inner[division.cellOf(cloud, p)]) QVERIFY(found.empty());
      QVERIFY(std::find(found.begin(), found.end(), own) == found.end());
      // The same as GPUs find it.
      const DivisionView view = division.view();
      const auto coordinate = [&](std::uint32_t j) { return cloud.columns[j][p]; };
      std::uint32_t cell = 0;
      division.cellsOf(cloud, p, std::span(&cell, 1));
      QCOMPARE(divisionCell(view, coordinate), cell);
      std::uint64_t mask = 0;
      for (const int rank : found) mask |= std::uint64_t{1} << rank;
      QCOMPARE(nearRanksMask(view, coordinate, squaredEps, own), mask);
      for (std::size_t q = 0; q < 200; ++q) {
        if (canonicalSquaredDistance(cloud, p, q) > squaredEps) continue;
        const int other = division.owner[division.cellOf(cloud, q)];
        QVERIFY(other == own || std::binary_search(found.begin(), found.end(), other));
      }
    }
  }
}

void TestSpaceDivision::guessedSlicesAreExact() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double kLowest = std::numeric_limits<double>::lowest();
  for (int seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const std::size_t slices = 1 + random() % (seed % 3 == 0 ? 5 : 300);
    std::vector<double> bounds;
    for (std::size_t s = 1; s < slices; ++s) {
      const double u = draws::unit(random);
      bounds.push_back(seed % 4 == 0   ? 100 * u
                       : seed % 4 == 1 ? -std::log(1 - u) / 40
                                       : std::exp(40 * u) * (u < 0.5 ? -1 : 1));
    }
    if (seed % 7 == 0 && slices > 1) bounds.back() = std::numeric_limits<double>::max();
    if (seed % 11 == 0 && slices > 2) bounds.front() = kLowest;
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    bounds.insert(bounds.begin(), -kInfinity);
    bounds.push_back(kInfinity);
    std::vector<std::uint16_t> first;
    const SliceGuess guess = guessOf(bounds, first);
    std::vector<double> values{0, 1e-300, -1e300, 1e300, kLowest, -kLowest};
    for (std::size_t s = 1; s + 1 < bounds.size(); ++s)
      for (const double x :
           {bounds[s], std::nextafter(bounds[s], kInfinity), std::nextafter(bounds[s], -kInfinity)})
        if (std::isfinite(x)) values.push_back(x);
    for (int i = 0; i < 200; ++i) values.push_back(150 * draws::unit(random) - 20);
    for (const double x : values)
      QCOMPARE(guess.slice(bounds.data(), x),
               sliceOf(bounds.data(), static_cast<std::uint32_t>(bounds.size() - 1), x));
  }
}

APPLESS_TEST(TestSpaceDivision);
#include "tst_space_division.moc"
