// The minPts that is chosen where none is given.
#include <QtTest>
#include <cmath>

#include "engine/dbscan/default_min_pts.h"
#include "tests/test_program.h"

using namespace clusterloom;

class TestDefaultMinPts : public QObject {
  Q_OBJECT

 private slots:
  void values_data() {
    QTest::addColumn<std::size_t>("points");
    QTest::addColumn<std::size_t>("dims");
    QTest::addColumn<std::int64_t>("minPts");
    const auto row = [](std::size_t points, std::size_t dims, std::int64_t minPts) {
      QTest::addRow("%zu × %zu", points, dims) << points << dims << minPts;
    };
    row(0, 2, 1);
    row(1, 2, 1);
    row(3, 2, 3);  // not more than the points
    row(50, 1, 4);
    row(50, 2, 4);
    row(9'000, 2, 10);
    row(100'000, 2, 12);
    row(100'000, 3, 12);
    row(10'000'000, 3, 17);
    row(1'000, 5, 10);  // twice the dimensions
    row(1'000, 10, 20);
    row(1'000, 90, 20);  // at most 20 of the dimensions
    row(12, 90, 12);
  }
  void values() {
    QFETCH(std::size_t, points);
    QFETCH(std::size_t, dims);
    QFETCH(std::int64_t, minPts);
    QCOMPARE(defaultMinPts(points, dims), minPts);
  }

  /// Grows with the points and with the dimensions, and is never below what either asks for.
  void itGrows() {
    for (std::size_t dims = 1; dims <= 128; dims += 7) {
      std::int64_t before = 0;
      for (std::size_t points = 1; points < 2'000'000'000; points = points * 3 + 1) {
        const std::int64_t minPts = defaultMinPts(points, dims);
        QVERIFY(minPts >= before && minPts <= std::int64_t(points));
        if (points > 100) {
          QVERIFY(double(minPts) >= std::log(double(points)));
          QVERIFY(minPts >= std::int64_t(std::min<std::size_t>(2 * dims, 20)));
        }
        before = minPts;
      }
    }
  }
};

GUILESS_TEST(TestDefaultMinPts);
#include "tst_default_min_pts.moc"
