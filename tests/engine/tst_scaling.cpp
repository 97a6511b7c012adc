// Scaling: the numbers against ones worked out by hand, texts that come back, and refusals.
#include <QtTest/QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "engine/cloud/scaling.h"
#include "tests/test_program.h"

using namespace clusterloom;

namespace {

PointCloud cloudOf(std::vector<Coordinates> columns) {
  PointCloud cloud;
  cloud.columns = std::move(columns);
  for (std::size_t j = 0; j < cloud.columns.size(); ++j)
    cloud.names.push_back("c" + std::to_string(j));
  return cloud;
}

Scaling scalingOf(Scaling::Kind kind, const PointCloud& cloud,
                  const std::vector<double>& factors = {}) {
  Result<Scaling> scaling = makeScaling(kind, cloud, factors);
  if (!scaling) qFatal("%s", scaling.error().message.c_str());
  return *scaling;
}

}  // namespace

class TestScaling : public QObject {
  Q_OBJECT

 private slots:
  void noneIsACopy();
  void unitGoesFromZeroToOne();
  void unitNeverPassesOne();
  void zScoreByHand();
  void zScoreOfLargeOffsets();
  void zScoreOfHugeNumbers();
  void constantDimensionsBecomeZero();
  void factorsMultiply();
  void textComesBack();
  void badTexts_data();
  void badTexts();
  void badFactors();
  void badClouds();
};

void TestScaling::noneIsACopy() {
  const PointCloud cloud = cloudOf({{1.5, -0.0, 1e300}, {3, 4, 5}});
  const PointCloud scaled = applyScaling(cloud, scalingOf(Scaling::Kind::None, cloud));
  QCOMPARE(scaled.columns, cloud.columns);
  QVERIFY(std::signbit(scaled.columns[0][1]));
  QCOMPARE(scaled.names, cloud.names);
}

void TestScaling::unitGoesFromZeroToOne() {
  const PointCloud cloud = cloudOf({{10, 20, 15}, {-4, 0, 4}});
  const PointCloud scaled = applyScaling(cloud, scalingOf(Scaling::Kind::Unit, cloud));
  QCOMPARE(scaled.columns[0], (std::vector<double>{0, 1, 0.5}));
  QCOMPARE(scaled.columns[1], (std::vector<double>{0, 0.5, 1}));
}

void TestScaling::unitNeverPassesOne() {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> draw(-1e6, 1e6);
  for (int i = 0; i < 20000; ++i) {
    const PointCloud cloud = cloudOf({{draw(random), draw(random), draw(random)}});
    const PointCloud scaled = applyScaling(cloud, scalingOf(Scaling::Kind::Unit, cloud));
    const Bounds bounds = boundsOf(scaled);
    QCOMPARE(bounds.low[0], 0.0);
    QVERIFY(bounds.high[0] <= 1.0 && bounds.high[0] >= 1.0 - 0x1p-52);
  }
}

void TestScaling::zScoreByHand() {
  // Mean 5, population variance ((−3)² + (−1)² + 1² + 3²)/4 = 5.
  const PointCloud cloud = cloudOf({{2, 4, 6, 8}});
  const PointCloud scaled = applyScaling(cloud, scalingOf(Scaling::Kind::ZScore, cloud));
  const double expected[] = {-3 / std::sqrt(5.0), -1 / std::sqrt(5.0), 1 / std::sqrt(5.0),
                             3 / std::sqrt(5.0)};
  for (int i = 0; i < 4; ++i) QVERIFY(std::abs(scaled.columns[0][i] - expected[i]) < 1e-15);
}

void TestScaling::zScoreOfLargeOffsets() {
  const PointCloud cloud = cloudOf({{5.4e6 + 2, 5.4e6 + 4, 5.4e6 + 6, 5.4e6 + 8}});
  const PointCloud scaled = applyScaling(cloud, scalingOf(Scaling::Kind::ZScore, cloud));
  QVERIFY(std::abs(scaled.columns[0][0] + 3 / std::sqrt(5.0)) < 1e-9);
}

void TestScaling::zScoreOfHugeNumbers() {
  const PointCloud cloud = cloudOf({{1e307, 8e307, 7e307, 6e307, 9e307, 5e307}});
  const PointCloud scaled = applyScaling(cloud, scalingOf(Scaling::Kind::ZScore, cloud));
  double sum = 0, square = 0;
  for (const double x : scaled.columns[0]) {
    sum += x;
    square += x * x;
  }
  QVERIFY(std::abs(sum) < 1e-12);
  QVERIFY(std::abs(square / 6 - 1) < 1e-12);
}

void TestScaling::constantDimensionsBecomeZero() {
  const PointCloud cloud = cloudOf({{7.25, 7.25, 7.25}, {1, 2, 3}});
  for (const Scaling::Kind kind : {Scaling::Kind::Unit, Scaling::Kind::ZScore}) {
    const PointCloud scaled = applyScaling(cloud, scalingOf(kind, cloud));
    QCOMPARE(scaled.columns[0], (std::vector<double>{0, 0, 0}));
    QVERIFY(scaled.columns[1][0] < scaled.columns[1][2]);
  }
  const PointCloud one = cloudOf({{3.0}, {-2.0}});
  QCOMPARE(applyScaling(one, scalingOf(Scaling::Kind::ZScore, one)).columns[1][0], 0.0);
}

void TestScaling::factorsMultiply() {
  const PointCloud cloud = cloudOf({{1, 2}, {3, 4}});
  const Scaling scaling = scalingOf(Scaling::Kind::Factors, cloud, {0.5, -3});
  QCOMPARE(applyScaling(cloud, scaling).columns[0], (std::vector<double>{0.5, 1}));
  QCOMPARE(applyScaling(cloud, scaling).columns[1], (std::vector<double>{-9, -12}));
}

void TestScaling::textComesBack() {
  const PointCloud cloud = cloudOf({{1, 2.5, 9}, {3, 4, 4}, {0.1, 0.7, 0.2}});
  const double third = 1.0 / 3.0;
  for (const Scaling& scaling :
       {scalingOf(Scaling::Kind::None, cloud), scalingOf(Scaling::Kind::Unit, cloud),
        scalingOf(Scaling::Kind::ZScore, cloud),
        scalingOf(Scaling::Kind::Factors, cloud, {third, 1e-300, -1.0000000000000002})}) {
    const Result<Scaling> back = parseScaling(toText(scaling), cloud);
    QVERIFY(back.has_value());
    QVERIFY(back->kind == scaling.kind);
    QCOMPARE(back->offset, scaling.offset);
    QCOMPARE(back->factor, scaling.factor);
  }
}

void TestScaling::badTexts_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"", "Unit", "units", "1,2", "1,2,3,4", "1,2,", ",1,2", "1,2,x", "1;2;3",
                           "1,2,3 ", "1,0,2", "1,nan,2", "inf,1,1", "1,2,1e999"})
    QTest::newRow(text) << QString(text);
}

void TestScaling::badTexts() {
  QFETCH(QString, text);
  const PointCloud cloud = cloudOf({{1, 2}, {3, 4}, {5, 6}});
  const Result<Scaling> scaling = parseScaling(text.toStdString(), cloud);
  QVERIFY(!scaling.has_value());
  QCOMPARE(scaling.error().kind, ErrorKind::BadCall);
  QVERIFY(!scaling.error().message.empty());
}

void TestScaling::badFactors() {
  const PointCloud cloud = cloudOf({{1, 2}, {3, 4}});
  for (const std::vector<double>& factors : {std::vector<double>{},
                                             {1.0},
                                             {1.0, 2.0, 3.0},
                                             {0.0, 1.0},
                                             {1.0, std::nan("")},
                                             {std::numeric_limits<double>::infinity(), 1.0}}) {
    const Result<Scaling> scaling = makeScaling(Scaling::Kind::Factors, cloud, factors);
    QVERIFY(!scaling.has_value());
    QCOMPARE(scaling.error().kind, ErrorKind::BadCall);
  }
}

void TestScaling::badClouds() {
  for (const Scaling::Kind kind : {Scaling::Kind::Unit, Scaling::Kind::ZScore}) {
    QVERIFY(!makeScaling(kind, PointCloud{}).has_value());
    QVERIFY(!makeScaling(kind, cloudOf({{1, std::nan("")}})).has_value());
    const Result<Scaling> tiny = makeScaling(kind, cloudOf({{0.0, 5e-324}}));
    QVERIFY(!tiny.has_value());
    QVERIFY(tiny.error().message.find("c0") != std::string::npos);
  }
}

APPLESS_TEST(TestScaling);
#include "tst_scaling.moc"
