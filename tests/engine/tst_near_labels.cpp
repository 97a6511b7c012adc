// Bounds of the labels near a place: never below the highest label of a point within ε, which plain
// loops find, and of use where no point is near.
#include <QtTest/QtTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/blocks/near_labels.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

struct Drawn {
  PointCloud cloud;
  std::vector<std::uint32_t> labelled;
  std::vector<std::int32_t> labels;
};

/// Coordinates are multiples of `step` of [0, extent) behind `offset`: many are exactly ε apart.
Drawn drawn(std::size_t dims, std::size_t points, double extent, double step, double offset,
            std::mt19937_64& random) {
  Drawn made;
  made.cloud.columns.resize(dims);
  std::uniform_real_distribution<double> coordinate(0, extent);
  for (auto& column : made.cloud.columns)
    for (std::size_t p = 0; p < points; ++p)
      column.push_back(offset + step * std::floor(coordinate(random) / step));
  for (std::size_t p = 0; p < points; ++p) {
    made.labels.push_back(std::int32_t(random() % 50));
    if (random() % 4 == 0) made.labelled.push_back(std::uint32_t(p));
  }
  return made;
}

std::int32_t highestWithin(const Drawn& made, std::size_t p, double eps) {
  std::int32_t highest = -1;
  for (const std::uint32_t q : made.labelled) {
    double squared = 0;
    for (const auto& column : made.cloud.columns)
      squared += (column[p] - column[q]) * (column[p] - column[q]);
    if (squared <= eps * eps) highest = std::max(highest, made.labels[q]);
  }
  return highest;
}

}  // namespace

class TestNearLabels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void noLabelIsHigher_data() {
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("offset");
    QTest::newRow("anywhere") << 1e-9 << 0.0;
    QTest::newRow("lattice of ε") << 0.5 << -20.0;
    QTest::newRow("lattice of ε / 3, far out") << 0.5 / 3 << 1e12;
    QTest::newRow("ε is the last bit") << 0.5 << 4503599627370496.0;
    QTest::newRow("ε is below the last bit") << 4.0 << 3e16;
    QTest::newRow("huge") << 1e285 << 1e300;
  }
  void noLabelIsHigher() {
    QFETCH(double, step);
    QFETCH(double, offset);
    const double eps = 0.5;
    std::mt19937_64 random(17);
    for (std::size_t dims = 1; dims <= 5; ++dims) {
      const Drawn made = drawn(dims, 600, std::max(40.0, 30 * step), step, offset, random);
      const NearLabels near(made.cloud, made.labelled, made.labels, eps);
      std::size_t told = 0;
      for (std::size_t p = 0; p < 600; ++p) {
        QVERIFY(near.highest(made.cloud, p) >= highestWithin(made, p, eps));
        told += near.highest(made.cloud, p) < 49;
      }
      QVERIFY(told > 0);
    }
  }

  void placesFarFromAllAreTold() {
    std::mt19937_64 random(3);
    const Drawn made = drawn(3, 20000, 100, 1e-9, 0, random);
    Drawn few = made;
    few.labelled.resize(40);
    const NearLabels near(few.cloud, few.labelled, few.labels, 1);
    std::size_t told = 0;
    for (std::size_t p = 0; p < 20000; ++p) told += near.highest(few.cloud, p) < 0;
    QVERIFY2(told > 16000, qPrintable(QString::number(told)));
    QCOMPARE(near.highest(few.cloud, few.labelled[0]) >= few.labels[few.labelled[0]], true);
    const NearLabels none(few.cloud, {}, few.labels, 1);
    QCOMPARE(none.highest(few.cloud, 0), -1);
  }
};

APPLESS_TEST(TestNearLabels);
#include "tst_near_labels.moc"
